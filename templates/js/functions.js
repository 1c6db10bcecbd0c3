// Function values of the charts, by name. An option names one as a string ("fn:compact"); revive() puts the function in
// its place, only under keys that take functions, so that no name of a user's can call one. Runs in goja and in browsers.
(function (global) {
  'use strict';

  // Numbers as package words writes them; both are tested with the same cases (charts/words/testdata/numbers.json).

  function trim(x, digits) {
    return String(Number(x.toPrecision(digits)));
  }

  function signed(x, magnitude) {
    return x < 0 && /[1-9]/.test(magnitude) ? '\u2212' + magnitude : magnitude;
  }

  // three significant digits, never with an exponent
  function significant(x) {
    var a = Number(Math.abs(x).toPrecision(3));
    var text = String(a);
    if (text.indexOf('e') >= 0) text = a.toFixed(20).replace(/0+$/, '').replace(/\.$/, '');
    return signed(x, text);
  }

  // 24310 -> 24.3k, 1500000 -> 1.5M
  function compact(x) {
    var a = Math.abs(x), units = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']];
    for (var i = 0; i < units.length; i++) {
      if (a >= units[i][0] * 0.9995) return significant(x / units[i][0]) + units[i][1];
    }
    return significant(x);
  }

  // 24310 -> 24,310
  function grouped(x) {
    return signed(x, String(Math.round(Math.abs(x))).replace(/\B(?=(\d{3})+$)/g, ','));
  }

  // whole with separators from 100 up, else three significant digits
  function count(x) {
    return Math.abs(x) < 99.95 ? significant(x) : grouped(x);
  }

  // seconds in the unit that suits them
  function span(x) {
    var a = Math.abs(x);
    if (a === 0) return '0 s';
    if (a < 0.9995e-6) return significant(x * 1e9) + ' ns';
    if (a < 0.9995e-3) return significant(x * 1e6) + ' \u00b5s';
    if (a < 0.9995) return significant(x * 1e3) + ' ms';
    return count(x) + ' s';
  }

  function percent(x) {
    return signed(x, Math.abs(100 * x).toFixed(Math.abs(x) < 0.0995 && x !== 0 ? 1 : 0)) + ' %';
  }

  // a ratio to a base: a change where it is small, else a factor
  function factor(x) {
    if (x >= 1.5 || x <= 1 / 1.5) return significant(x) + '\u00d7';
    var text = percent(x - 1);
    return x > 1 && /[1-9]/.test(text) ? '+' + text : text;
  }

  function plain(x) {
    return x >= 1000 ? grouped(x) : trim(x, 4);
  }

  function known(x) {
    return typeof x === 'number' && isFinite(x);
  }

  // seconds since the start -> 1:05 or 42
  function clock(x) {
    var s = Math.round(x);
    if (s < 60) return String(s);
    return Math.floor(s / 60) + ':' + String(100 + (s % 60)).slice(1);
  }

  // days since 1970 -> 2026-03-14
  function day(x) {
    return new Date(x * 86400000).toISOString().slice(0, 10);
  }

  function escape(s) {
    return String(s).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  }

  function rows(head, lines) {
    return '<b>' + escape(head) + '</b>' + lines.map(function (l) {
      return '<div>' + l[0] + escape(l[1]) + ' <b>' + escape(l[2]) + '</b></div>';
    }).join('');
  }

  // A tooltip over a heat map: the third value is drawn, the axes' own words stand before it.
  function cellTip(format, unit) {
    return function (p) {
      var v = p.value[2];
      return rows(p.value[1] + ' × ' + p.value[0], [[p.marker, unit, known(v) ? format(v) : 'not known']]);
    };
  }

  // A tooltip over lines: one row a series; bands ([x, low, high]) say their range.
  function lineTip(head, format) {
    return function (ps) {
      if (!ps.length) return '';
      var lines = ps.filter(function (p) { return p.value && known(p.value[1]); }).map(function (p) {
        var v = p.value;
        var text = p.seriesType === 'custom' ? format(v[1]) + ' … ' + format(v[2]) : format(v[1]);
        return [p.marker, p.seriesName, text];
      });
      return rows(head(ps[0].value[0]), lines);
    };
  }

  // A band between two edges, drawn once as one polygon a run of known points; items are [x, low, high].
  function band(params, api) {
    if (params.dataIndexInside !== 0) return null;
    var shapes = [], top = [], bottom = [];
    function close() {
      if (top.length > 1) {
        shapes.push({type: 'polygon', shape: {points: top.concat(bottom.reverse())}, style: {fill: api.visual('color'), opacity: 0.16}, silent: true});
      }
      top = [];
      bottom = [];
    }
    for (var i = 0; i < params.dataInsideLength; i++) {
      var low = api.value(1, i), high = api.value(2, i);
      if (!known(low) || !known(high)) {
        close();
        continue;
      }
      top.push(api.coord([api.value(0, i), high]));
      bottom.push(api.coord([api.value(0, i), low]));
    }
    close();
    return {type: 'group', children: shapes};
  }

  // An interval along the horizontal axis; items are [low, row, high].
  function whisker(params, api) {
    var low = api.coord([api.value(0), api.value(1)]), high = api.coord([api.value(2), api.value(1)]);
    var style = {stroke: api.visual('color'), lineWidth: 2, fill: null};
    function line(x1, y1, x2, y2) {
      return {type: 'line', shape: {x1: x1, y1: y1, x2: x2, y2: y2}, style: style, silent: true};
    }
    return {type: 'group', children: [
      line(low[0], low[1], high[0], high[1]), line(low[0], low[1] - 5, low[0], low[1] + 5), line(high[0], high[1] - 5, high[0], high[1] + 5)
    ]};
  }

  function threads(x) { return x + (x === 1 ? ' thread' : ' threads'); }
  function seconds(x) { return clock(x) + ' s'; }
  function ms(x) { return trim(x, 3) + ' ms'; }

  var functions = {
    compact: compact,
    plain: plain,
    percent: percent,
    clock: clock,
    day: function (x) { return x % 1 ? new Date(x * 86400000).toISOString().slice(11, 16) : day(x); },
    cellLabel: function (p) { return known(p.value[2]) ? compact(Number(p.value[2].toPrecision(2))) : ''; },
    shareLabel: function (p) { return known(p.value) ? percent(p.value) : ''; },
    shareBarTip: function (ps) { return rows('CPU ' + ps[0].name, [[ps[0].marker, 'busy', known(ps[0].value) ? percent(ps[0].value) : 'not known']]); },
    caseTip: function (ps) {
      return rows(ps[0].name, ps.map(function (p) {
        return p.seriesType === 'custom' ? [p.marker, '95 %', grouped(p.value[0]) + ' … ' + grouped(p.value[2])] : [p.marker, p.seriesName, known(p.value) ? grouped(p.value) : 'not known'];
      }));
    },
    ratio: function (x) { return Math.abs(x) < 1e-9 ? 'base' : factor(Math.exp(x)); },
    ratioTip: function (ps) {
      return rows(ps[0].name, ps.map(function (p) {
        return p.seriesType === 'custom' ? [p.marker, '95 %', factor(Math.exp(p.value[0])) + ' … ' + factor(Math.exp(p.value[2]))] : [p.marker, p.seriesName, factor(Math.exp(p.value))];
      }));
    },
    spanTip: function (ps) {
      return rows(ps[0].name, ps.map(function (p) { return [p.marker, p.seriesName, known(p.value) ? ms(p.value) : 'not known']; }));
    },
    queriesTip: cellTip(grouped, 'queries/s'),
    transactionsTip: cellTip(grouped, 'transactions/s'),
    connectsTip: cellTip(grouped, 'connects/s'),
    changeTip: cellTip(function (x) { return (x > 0 ? '+' : '') + percent(x); }, 'change'),
    runTip: function (ps) {
      return rows(day(ps[0].value[0]), ps.filter(function (p) { return p.seriesType !== 'custom'; }).map(function (p) { return [p.marker, p.seriesName, known(p.value[1]) ? grouped(p.value[1]) : 'not known']; }));
    },
    shareTip: cellTip(percent, 'busy'),
    rateTip: lineTip(threads, grouped),
    shareLineTip: lineTip(threads, percent),
    msTip: lineTip(threads, ms),
    timeTip: lineTip(seconds, plain),
    threadsTip: lineTip(threads, plain),
    band: band,
    whisker: whisker
  };
  var takesFunction = {formatter: true, renderItem: true, valueFormatter: true};

  function revive(node) {
    Object.keys(node).forEach(function (key) {
      var value = node[key];
      if (value && typeof value === 'object') {
        revive(value);
      } else if (takesFunction[key] && typeof value === 'string' && value.slice(0, 3) === 'fn:') {
        node[key] = functions[value.slice(3)];
      }
    });
    return node;
  }

  global.mysweepCharts = {functions: functions, numbers: {count: count, compact: compact, significant: significant, percent: percent, span: span}, revive: revive};
})(typeof globalThis === 'undefined' ? this : globalThis);
