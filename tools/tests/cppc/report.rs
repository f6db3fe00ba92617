//! The page of `cppc report`, parsed as a browser does it.

use crate::fixture::{cppc, dumped, dumped_upon, path_text, Scratch};
use cppc_runtime::settings::Compression;
use scraper::{ElementRef, Html, Selector};
use std::path::Path;
use std::process::{Command, Stdio};

struct Page(Html);

impl Page {
    fn read(path: &Path) -> Page {
        let html = Html::parse_document(&std::fs::read_to_string(path).unwrap());
        assert!(html.errors.is_empty(), "{:?}", html.errors);
        Page(html)
    }

    fn all(&self, selector: &str) -> Vec<ElementRef<'_>> {
        self.0.select(&Selector::parse(selector).unwrap()).collect()
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).iter().map(|element| element.text().collect()).collect()
    }

    /// The rows of the table with this caption.
    fn table(&self, caption: &str) -> Vec<Vec<String>> {
        let is_wanted =
            |table: &ElementRef| text(table, "caption").first().is_some_and(|found| found == caption);
        let table =
            self.all("table").into_iter().find(is_wanted).unwrap_or_else(|| panic!("no table {caption}"));
        let rows = Selector::parse("tbody tr").unwrap();
        table.select(&rows).map(|row| text(&row, "td")).collect()
    }
}

fn text(element: &ElementRef, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    element.select(&selector).map(|found| found.text().collect()).collect()
}

fn reported(scratch: &Scratch, more: &[&str]) -> anyhow::Result<(Page, String, bool)> {
    let output = scratch.0.join("report.html");
    let words = [&["report", path_text(&scratch.0), "-o", path_text(&output)], more].concat();
    let (said, good) = cppc(&words)?;
    Ok((Page::read(&output), said, good))
}

#[test]
fn lines_files_variables_and_pictures_of_all_processes_are_on_the_page() {
    let scratch = Scratch::new("report");
    dumped(&scratch.0, 3, 2, Compression::None, None);
    let (page, said, good) = reported(&scratch, &[]).unwrap();
    assert!(good && said.ends_with("report.html shows 2 recovery lines with 1 picture\n"), "{said}");
    assert_eq!(page.texts("h1"), ["State of heat"]);
    let lines = page.table("Recovery lines");
    let numbers: Vec<&str> = lines.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(numbers, ["2", "1"]);
    assert!(
        lines.iter().all(|row| row[1] == "complete" && row[4] == "3" && row[7].ends_with(" UTC")),
        "{lines:?}"
    );
    let files = page.table("Line 2: files");
    assert_eq!(files.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["0", "1", "2"]);
    assert!(files.iter().all(|row| row[2] == "70" && row[6].ends_with("line-000002.cppc")), "{files:?}");
    let variables = page.table("Variables of all processes");
    let of =
        |name: &str| variables.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("{variables:?}"));
    // The values are (index + rank) / 2 + line, in three processes.
    assert_eq!(of("u")[1..8], ["solve (1)", "double", "[2000]", "3", "46.9 KiB", "99.9%", "2"]);
    assert_eq!(of("u")[8..10], ["502.25", "1002.5"]);
    // The name of the third variable contains an escape sequence.
    assert_eq!(of("title\\u{1b}[2J")[4], "3");
    let pictures = page.all("figure img");
    assert_eq!(pictures.len(), 1);
    assert_eq!(
        pictures[0].attr("alt").unwrap(),
        "u: double [2000], line 2, ranks 0-2; a pixel shows, of 3 elements, the one farthest from their mean"
    );
    let plan = page.texts("details pre").concat();
    assert!(plan.contains("the checkpoint"), "{plan}");
}

#[test]
fn a_browser_loads_and_runs_nothing_else() {
    let scratch = Scratch::new("alone");
    dumped(&scratch.0, 2, 1, Compression::None, None);
    let (page, _, _) = reported(&scratch, &[]).unwrap();
    let sources: Vec<&str> = page.all("[src]").iter().filter_map(|element| element.attr("src")).collect();
    assert!(!sources.is_empty() && sources.iter().all(|source| source.starts_with("data:image/png;base64,")));
    for other in ["script", "link", "iframe", "object", "embed", "[href]", "[onload]", "[onclick]"] {
        assert!(page.all(other).is_empty(), "{other}");
    }
    let styles = page.texts("style").concat();
    assert!(!styles.contains("url(") && !styles.contains("@import"));
    // The picture is a PNG file.
    let encoded = sources[0].trim_start_matches("data:image/png;base64,");
    assert!(encoded.starts_with("iVBORw0KGgo"), "{}", &encoded[..20]);
}

#[test]
fn the_choices_of_the_user_are_followed() {
    let scratch = Scratch::new("choices");
    dumped_upon(&scratch.0, 2, 3, 3);
    let (page, _, good) = reported(&scratch, &["--line", "2", "--rank", "1", "-n", "u"]).unwrap();
    assert!(good);
    assert_eq!(page.table("Line 2: files").len(), 1);
    let variables = page.table("Variables of all processes");
    assert_eq!(variables.len(), 1);
    assert_eq!((variables[0][0].as_str(), variables[0][4].as_str()), ("u", "1"));
    // Incremental files need the first one.
    assert_eq!(page.table("Recovery lines")[0][3], "1");
    let (page, _, _) = reported(&scratch, &["--shape", "200x500"]).unwrap();
    let alt = page.all("img")[0].attr("alt").unwrap().to_owned();
    assert!(alt.starts_with("u: double [200][500], line 3, ranks 0-1"), "{alt}");
    assert_eq!(page.all("img").len(), 1);
    let (page, said, _) = reported(&scratch, &["--pictures", "0"]).unwrap();
    assert!(page.all("img").is_empty() && said.contains("0 pictures"), "{said}");
    assert!(page.texts("p.note").concat().contains("smaller arrays are not drawn: `u`"));
    assert!(reported(&scratch, &["--line", "9"]).is_err_and(|error| error.to_string().contains("line 9")));
    assert!(reported(&scratch, &["--app", "cold"]).is_err());
    let unknown = reported(&scratch, &["-n", "unknown"]);
    assert!(unknown.is_err_and(|error| error.to_string().contains("no register is named `unknown`")));
}

#[test]
fn damage_is_on_the_page_and_in_the_status() {
    let scratch = Scratch::new("damaged-report");
    dumped(&scratch.0, 2, 2, Compression::None, None);
    let file = scratch.line(1, 2);
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let (page, _, good) = reported(&scratch, &[]).unwrap();
    assert!(!good);
    let problems = page.texts("p.bad").concat();
    assert!(problems.contains("rank-0001"), "{problems}");
    // The picture is left out, and the page says so.
    assert!(page.texts("p.note").concat().contains("`u` is not drawn"));
}

#[test]
fn only_another_page_is_overwritten() {
    let scratch = Scratch::new("kept");
    dumped(&scratch.0, 1, 1, Compression::None, None);
    let output = scratch.0.join("report.html");
    std::fs::write(&output, "<!DOCTYPE html>\n<p>mine</p>\n").unwrap();
    let error = reported(&scratch, &[]).err().unwrap().to_string();
    assert!(error.contains("is not a page of `cppc report`"), "{error}");
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "<!DOCTYPE html>\n<p>mine</p>\n");
    std::fs::remove_file(&output).unwrap();
    reported(&scratch, &[]).unwrap();
    reported(&scratch, &[]).unwrap();
}

/// As in `cppc report -o - | head -1`.
#[test]
fn a_reader_of_the_page_may_stop() {
    let scratch = Scratch::new("closed");
    dumped(&scratch.0, 1, 1, Compression::None, None);
    let words = ["report", path_text(&scratch.0), "-o", "-"];
    let whole = Command::new(env!("CARGO_BIN_EXE_cppc")).args(words).output().unwrap();
    assert!(whole.status.success() && whole.stdout.starts_with(b"<!DOCTYPE html>"), "{whole:?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cppc"));
    let mut child = command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
}
