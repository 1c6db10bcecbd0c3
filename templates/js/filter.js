// Shows the runs of an index that have all words of the filter, and the hosts that have such runs. Without scripts the
// filter is hidden and all runs are there.
(function () {
  'use strict';

  var box = document.querySelector('.filter');
  var input = box.querySelector('input'), output = box.querySelector('output');
  var sections = Array.prototype.slice.call(document.querySelectorAll('main > section'));

  function apply() {
    var words = input.value.toLowerCase().split(/\s+/), shown = 0, all = 0;
    sections.forEach(function (section) {
      var host = section.querySelector('h2').textContent, any = false;
      section.querySelectorAll('table.runs tbody tr').forEach(function (row) {
        var text = (host + ' ' + row.textContent).toLowerCase();
        row.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
        any = any || !row.hidden;
        all++;
        if (!row.hidden) shown++;
      });
      section.hidden = !any;
    });
    output.textContent = input.value.trim() ? shown + ' of ' + all : '';
  }

  box.hidden = false;
  input.addEventListener('input', apply);
  apply();
})();
