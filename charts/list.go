package charts

import "fmt"

// figures is every chart that a report may have, in the order of the page. To add one, write its
// function in a file of its own and a line here. A function returns no chart when the archive has
// nothing for it to show.
func figures() []func(*Data) ([]Chart, error) {
	return []func(*Data) ([]Chart, error){
		sensitivityCharts,
		caseCharts,
		heatCharts,
		rateCharts,
		curveCharts,
		latencyCharts,
		interactionCharts,
		connectCharts,
		loadCharts,
		cpuCharts,
		deviceCharts,
	}
}

// All makes the charts of an archive.
func All(d *Data) ([]Chart, error) {
	var all []Chart
	for _, figure := range figures() {
		list, err := figure(d)
		if err != nil {
			return nil, fmt.Errorf("draw charts: %w", err)
		}
		all = append(all, list...)
	}
	return all, nil
}
