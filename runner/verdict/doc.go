// Package verdict says what results mean: pure statistics over an archive, and
// nothing else. It owns cells and their intervals, the peak, the knee, the
// scaling fit, what limited the peak, the notes that follow from evidence, the
// requirement, the comparison of runs and of cases, and the trend over many
// runs. It reads no files, prints nothing, draws nothing and knows no driver;
// its answers are plain data and plain sentences, which templates place.
//
// Unknown is nil, never zero. No verdict claims more than its evidence shows:
// where evidence is missing the sentence says so.
package verdict
