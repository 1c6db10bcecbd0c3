// Package templates owns the texts, styles and scripts that reports are made of, embedded in the
// binary: the pinned ECharts build, the functions and the theme that its charts name, the page
// templates and the style sheet. It refuses to know any data: whoever fills a template brings its
// own.
package templates

import _ "embed"

// ECharts is the tree-shaken ECharts build; echarts/README.md says which version and how it was
// made.
//
//go:embed echarts/echarts.min.js
var ECharts string

// EChartsSums is the checksum file of the build, in the format of sha256sum.
//
//go:embed echarts/SHA256SUMS
var EChartsSums string

// ChartFunctions is the script that defines the function values charts name (formatters,
// renderItem) and revive(), which puts them into an option.
//
//go:embed js/functions.js
var ChartFunctions string

// ChartTheme is the ECharts theme of all charts, as JSON.
//
//go:embed js/theme.json
var ChartTheme string

// PageStyle is the style sheet of all pages.
//
//go:embed page/style.css
var PageStyle string

// PageScript makes the drawn charts of a page interactive.
//
//go:embed js/page.js
var PageScript string

// FilterScript filters the runs of an index.
//
//go:embed js/filter.js
var FilterScript string

// PageParts defines what the pages share: head, figure, table, phrases and foot.
//
//go:embed page/parts.html
var PageParts string

// Compare is the html/template of compare.html.
//
//go:embed page/compare.html
var Compare string

// Index is the html/template of index.html.
//
//go:embed page/index.html
var Index string

// Report is the html/template of report.html; package page fills it.
//
//go:embed page/report.html
var Report string

// Summary is the text/template of summary.txt.
//
//go:embed page/summary.txt
var Summary string

// Mail is the html/template of the HTML part of a mail.
//
//go:embed page/mail.html
var Mail string
