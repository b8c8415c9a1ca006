//! The picture of the record: nanoseconds to parse an item, as a group of bars for each corpus with a bar for each
//! library. It has its own background, so that it is readable on a light page and on a dark one.

use simd_iri_benches::work::{Kind, Work};

use crate::{
    record::{Record, Row, fastest_peer, ratio},
    tables::{figure, grouped},
};

/// Ours first; then the peers, in their order.
const COLOURS: [&str; 7] =
    ["#e8590c", "#4c8dd6", "#8f7ae0", "#2fa37c", "#c9a227", "#d0679d", "#8a949e"];

const COLUMNS: usize = 3;
const MARGIN: usize = 28;
const GROUP_WIDTH: usize = 312;
const BAR: usize = 15;
const PITCH: usize = 20;
/// Where the bars begin within a group, and the length of the longest bar.
const BARS_AT: usize = 88;
const LONGEST: f64 = 156.0;
const HEADING: usize = 114;
const GROUP_HEADING: usize = 44;
const GROUP_HEIGHT: usize = GROUP_HEADING + COLOURS.len() * PITCH + 26;

/// The whole file.
pub fn draw(record: &Record) -> String {
    let corpora = record.corpora();
    let width = 2 * MARGIN + COLUMNS * GROUP_WIDTH;
    let height = HEADING + corpora.len().div_ceil(COLUMNS) * GROUP_HEIGHT + MARGIN / 2;
    let day = record.facts.iter().find(|(name, _)| name == "date").map_or("", |(_, day)| day);
    let groups: String = corpora
        .iter()
        .enumerate()
        .map(|(i, corpus)| {
            let x = MARGIN + i % COLUMNS * GROUP_WIDTH;
            let y = HEADING + i / COLUMNS * GROUP_HEIGHT;
            let group = group(&record.group(Work::Parse, corpus));
            format!("<g transform=\"translate({x} {y})\">\n{group}</g>\n")
        })
        .collect();
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="Nanoseconds to parse one item, by library and corpus; the figures are in record.tsv">
<style>
text {{ font: 13px system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #24292f }}
.title {{ font-size: 20px; font-weight: 600 }}
.name {{ font-size: 15px; font-weight: 600 }}
.ours {{ font-weight: 700 }}
.quiet {{ fill: #57606a }}
.card {{ fill: #ffffff; stroke: #d0d7de }}
.zero {{ stroke: #8c959f }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3 }}
.quiet {{ fill: #9ea7b3 }}
.card {{ fill: #0d1117; stroke: #30363d }}
}}
</style>
<rect class="card" x="0.5" y="0.5" width="{}" height="{}" rx="8"/>
<text class="title" x="{MARGIN}" y="40">Nanoseconds to parse one item, all components located: shorter is better</text>
<text class="quiet" x="{MARGIN}" y="63">One thread, best CPU level; median of three runs, {day}. Every group has its own linear scale, from 0 to its longest bar.</text>
<text class="quiet" x="{MARGIN}" y="83">Beside the name of a corpus: how many times the time of simd-iri the fastest of the others takes.</text>
{groups}</svg>
"##,
        width - 1,
        height - 1,
    )
}

/// The bars of one corpus, with its name and the time of the fastest peer divided by ours.
fn group(rows: &[&Row]) -> String {
    let [ours, ..] = rows else { return String::new() };
    let bars: Vec<_> =
        rows.iter().filter(|row| row.library == ours.library || row.is(Kind::Strict)).collect();
    let longest = bars.iter().map(|row| row.nanoseconds()).fold(0.0, f64::max);
    let mut text = format!(
        "<text class=\"name\" y=\"14\">{}</text>\
         <text class=\"name\" x=\"{}\" y=\"14\" text-anchor=\"end\">{:.1}×</text>\n\
         <text class=\"quiet\" y=\"32\">{} items of {} bytes, {} valid</text>\n",
        ours.corpus,
        GROUP_WIDTH - 28,
        ratio(&fastest_peer(rows), &ours.runs),
        grouped(ours.items),
        grouped(ours.bytes_an_item.round() as usize),
        grouped(ours.accepted),
    );
    for (i, (row, colour)) in bars.iter().zip(COLOURS).enumerate() {
        let y = GROUP_HEADING + i * PITCH;
        let length = (row.nanoseconds() / longest * LONGEST).max(1.0);
        let (baseline, class) = (y + BAR - 3, if i == 0 { " class=\"ours\"" } else { "" });
        text += &format!(
            "<text{class} x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{BARS_AT}\" y=\"{y}\" width=\"{length:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>\
             <text{class} x=\"{:.1}\" y=\"{baseline}\">{}</text>\n",
            BARS_AT - 7,
            row.library,
            BARS_AT as f64 + length + 5.0,
            figure(row.nanoseconds()),
        );
    }
    let bottom = GROUP_HEADING + bars.len() * PITCH - 1;
    text + &format!("<path class=\"zero\" d=\"M{BARS_AT} {}V{bottom}\"/>\n", GROUP_HEADING - 4)
}
