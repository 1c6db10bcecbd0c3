// The parts of ECharts that mysweep draws with, as one global `echarts`.
// A new kind of chart or component: import it, add it to use(), run ./build.sh.
import * as echarts from 'echarts/core';
import {BarChart, BoxplotChart, CustomChart, HeatmapChart, LineChart, ScatterChart} from 'echarts/charts';
import {
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  MarkPointComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import {SVGRenderer} from 'echarts/renderers';

echarts.use([
  BarChart, BoxplotChart, CustomChart, HeatmapChart, LineChart, ScatterChart,
  DataZoomComponent, GridComponent, LegendComponent,
  MarkAreaComponent, MarkLineComponent, MarkPointComponent, TitleComponent, TooltipComponent,
  VisualMapComponent, SVGRenderer,
]);

globalThis.echarts = {init: echarts.init, getInstanceByDom: echarts.getInstanceByDom, version: echarts.version};
