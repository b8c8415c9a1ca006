//! Shows the numbers as a page of HTML, for people who do not have the program. It is one file, loads
//! nothing, and has no script. Its colours are light or dark as the reader prefers, rows and bars can be
//! reached with the keyboard, and each chart has its numbers beside it or in a table below.
//!
//! Text from the input passes [`Text`], which escapes it. The policy in the head of the page also forbids scripts and
//! requests, so that a mistake in the escapes does no harm.

use std::fmt::{self, Display, Write};

use crate::output::escape::Escaped;
use crate::stats::chart;
use crate::stats::distinct::Estimate;
use crate::stats::summary::{Histogram, List, Summary, Unit, grouped, share};

const STYLE: &str = include_str!("page.css");

/// Text in HTML: hidden characters are visible, and characters of the markup are escaped.
struct Text<'a>(&'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in Escaped(self.0.as_bytes()).to_string().chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A number that a program can read, too.
struct Number(u64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<data value=\"{}\">{}</data>", self.0, grouped(self.0))
    }
}

/// The beginning of each page. A file that begins so is a page, and may be replaced by another.
pub(crate) const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                               <meta name=\"generator\" content=\"iri stats\">\n";

/// Returns the page.
pub(crate) fn page(summary: &Summary) -> String {
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut page, summary);
    page
}

fn write_page(page: &mut String, summary: &Summary) -> fmt::Result {
    let Summary { source, kind, items, valid, invalid, .. } = summary;
    let source = Text(source);
    write!(
        page,
        "{HEAD}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Addresses in {source}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Addresses in <bdi>{source}</bdi></h1>\n\
         <p class=\"soft\">Checked as {kind}.</p>\n"
    )?;
    if !summary.complete {
        page.push_str(
            "<p class=\"warn\">Some input could not be read. It is not in these numbers.</p>\n",
        );
    }
    page.push_str("</header>\n<main>\n<dl class=\"figures\">\n");
    figure(page, "items", "Items", Number(*items), "")?;
    distinct(page, "distinct-items", "Distinct valid items", summary.distinct.items)?;
    distinct(page, "distinct-hosts", "Distinct hosts", summary.distinct.hosts)?;
    distinct(page, "distinct-domains", "Distinct registrable domains", summary.distinct.domains)?;
    page.push_str("</dl>\n");
    write!(
        page,
        "<section class=\"card validity\" aria-labelledby=\"h-validity\">\n<h2 id=\"h-validity\">Validity</h2>\n\
         {}\n<p><span id=\"valid\">{}</span> valid ({}), <span id=\"invalid\">{}</span> invalid ({})</p>\n\
         </section>\n<div class=\"cards\">\n",
        chart::validity(*valid, *invalid),
        Number(*valid),
        share(*valid, *items),
        Number(*invalid),
        share(*invalid, *items),
    )?;
    for counted in summary.lists().iter().filter(|list| list.counted.counted > 0) {
        list(page, counted)?;
    }
    for counted in summary.histograms() {
        histogram(page, &counted, *valid)?;
    }
    page.push_str("</div>\n</main>\n<footer><p>Made by <code>iri stats</code>.");
    let is_estimated = |estimate: Estimate| !estimate.exact;
    let estimates = [summary.distinct.items, summary.distinct.hosts, summary.distinct.domains];
    if estimates.into_iter().any(is_estimated) {
        page.push_str(
            " An estimated number of distinct values lies between the two numbers below it in 99.7 % of all cases.",
        );
    }
    page.push_str("</p></footer>\n</body>\n</html>\n");
    Ok(())
}

/// Writes a number that is shown by itself.
fn figure(
    page: &mut String,
    id: &str,
    name: &str,
    number: impl Display,
    about: &str,
) -> fmt::Result {
    writeln!(
        page,
        "<div id=\"{id}\"><dt>{name}</dt><dd class=\"number\">{number}</dd>\
         <dd class=\"soft small\">{about}</dd></div>"
    )
}

fn distinct(page: &mut String, id: &str, name: &str, estimate: Estimate) -> fmt::Result {
    let Estimate { count, low, high, exact } = estimate;
    let about = match exact {
        true => String::new(),
        false => format!("between {} and {}", grouped(low), grouped(high)),
    };
    let sign = if exact { "" } else { "≈ " };
    figure(page, id, name, format_args!("{sign}{}", Number(count)), &about)
}

/// Writes a list: a table with a bar in each row.
fn list(page: &mut String, list: &List<'_>) -> fmt::Result {
    let List { id, title, about, unit, counted, of } = list;
    let longest = counted.top.iter().map(|row| row.count).max().unwrap_or(0);
    let column = match unit {
        Unit::Item => "Items",
        Unit::Pair => "Pairs",
    };
    let (total, unit) = (Number(counted.counted), unit.of(counted.counted));
    write!(
        page,
        "<section class=\"card\" id=\"{id}\" aria-labelledby=\"h-{id}\">\n<h2 id=\"h-{id}\">{title}</h2>\n\
         <p class=\"soft\"><span class=\"counted\">{total}</span> {unit} {about}."
    )?;
    if counted.error > 0 {
        let error = Number(counted.error);
        write!(page, " Each count is at most <span class=\"error\">{error}</span> too low.")?;
    }
    write!(
        page,
        "</p>\n<table>\n<caption>{title}</caption>\n<thead><tr><th scope=\"col\">Key</th>\
         <td class=\"chart\"></td><th scope=\"col\">{column}</th>\
         <th scope=\"col\">Share</th></tr></thead>\n<tbody>\n"
    )?;
    for row in &counted.top {
        let (key, count) = (Text(&row.key), Number(row.count));
        let class = if *id == "errors" { "bad" } else { "bar" };
        let (bar, share) = (chart::bar(row.count, longest, class), share(row.count, *of));
        writeln!(
            page,
            "<tr tabindex=\"0\"><th scope=\"row\" title=\"{key}\"><bdi>{key}</bdi></th>\
             <td class=\"chart\">{bar}</td><td>{count}</td><td class=\"share\">{share}</td></tr>"
        )?;
    }
    if counted.others > 0 {
        let others = match counted.other_keys {
            Some(keys) => format!("{} more", grouped(keys as u64)),
            None => "more".to_owned(),
        };
        let (count, share) = (Number(counted.others), share(counted.others, *of));
        writeln!(
            page,
            "<tr class=\"rest\"><th scope=\"row\">{others}</th><td class=\"chart\"></td>\
             <td>{count}</td><td class=\"share\">{share}</td></tr>"
        )?;
    }
    page.push_str("</tbody>\n</table>\n</section>\n");
    Ok(())
}

/// Writes a histogram, and its numbers in a table that opens.
fn histogram(page: &mut String, histogram: &Histogram<'_>, of: u64) -> fmt::Result {
    let Histogram { id, title, unit, spread } = histogram;
    let (least, greatest, mean) = (grouped(spread.least), grouped(spread.greatest), spread.mean);
    write!(
        page,
        "<section class=\"card\" id=\"{id}\" aria-labelledby=\"h-{id}\">\n<h2 id=\"h-{id}\">{title}</h2>\n\
         <p class=\"soft\">{least} to {greatest} {unit}, mean {mean:.1}.</p>\n{}\n\
         <details><summary>Numbers</summary>\n<table>\n<caption>{title}</caption>\n\
         <thead><tr><th scope=\"col\">{title}</th><th scope=\"col\">Items</th>\
         <th scope=\"col\">Share</th></tr></thead>\n<tbody>\n",
        chart::histogram(histogram)
    )?;
    for bin in &spread.bins {
        let (name, count) = (chart::bin_name(bin.from, bin.to, unit), Number(bin.count));
        let share = share(bin.count, of);
        writeln!(
            page,
            "<tr><th scope=\"row\">{name}</th><td>{count}</td><td class=\"share\">{share}</td></tr>"
        )?;
    }
    page.push_str("</tbody>\n</table>\n</details>\n</section>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let shown = Text("<b a='\"'>&\n\u{202E}é").to_string();
        assert_eq!(shown, "&lt;b a=&#39;&quot;&#39;&gt;&amp;\\u{a}\\u{202e}é");
    }
}
