// Makes the drawn charts of a report interactive: unpacks the embedded ECharts build, gives it each figure's option, and
// hides the drawing when its live chart stands. Where anything is missing the drawings stay as they are.
(function () {
  'use strict';

  function packed(id) {
    var text = atob(document.getElementById(id).textContent.trim());
    var bytes = new Uint8Array(text.length);
    for (var i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  }

  function start(figure, theme) {
    var option = mysweepCharts.revive(JSON.parse(figure.querySelector('script').textContent));
    var drawing = figure.querySelector('.drawing');
    var live = figure.querySelector('.live');
    var width = drawing.clientWidth;
    live.style.height = drawing.querySelector(width < 440 ? '.narrow svg' : '.wide svg').getAttribute('viewBox').split(' ')[3] + 'px';
    figure.classList.add('live-on');
    option.baseOption.tooltip.className = 'tip';
    option.baseOption.tooltip.confine = true;
    var chart = echarts.init(live, theme, {renderer: 'svg'});
    chart.setOption(option);
    new ResizeObserver(function () { chart.resize(); }).observe(live);
  }

  if (!window.DecompressionStream || !window.ResizeObserver) return;
  packed('echarts').then(function (code) {
    var script = document.createElement('script');
    script.textContent = code;
    document.head.appendChild(script);
    var theme = JSON.parse(document.getElementById('theme').textContent);
    document.querySelectorAll('figure.chart').forEach(function (figure) { start(figure, theme); });
    document.documentElement.setAttribute('data-charts', 'live');
  });
})();
