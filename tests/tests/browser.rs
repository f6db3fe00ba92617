//! The page of `cppc report` in a browser without a window. If no browser is installed, there is no case. Tests of `tools/`
//! parse the page in any case.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{ensure, Context, Result};
use cppc_tests::build::succeed;
use cppc_tests::cases::{case, run};
use cppc_tests::product::Product;
use cppc_tests::run::without_settings;

/// The names that distributions give them.
const BROWSERS: [&str; 4] = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

const PROGRAM: &str = "#include <stdio.h>
int main(void)
{
    static double u[40][50];
    int step;
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 50; k++)
            u[i][k] = i * k;
#pragma cppc init
#pragma cppc register(step, u)
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        u[0][0] += 1;
    }
    printf(\"%g\\n\", u[0][0]);
#pragma cppc shutdown
    return 0;
}
";

fn main() -> ExitCode {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let trials = browser().map(|browser| {
        case(&scratch, "report_is_shown".to_owned(), move |directory| report_is_shown(&browser, directory))
    });
    run(Ok(trials.into_iter().collect()))
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        BROWSERS.iter().flat_map(|name| std::env::split_paths(&path).map(move |place| place.join(name)));
    found.into_iter().find(|browser| browser.is_file())
}

fn report_is_shown(browser: &Path, directory: &Path) -> Result<()> {
    std::fs::write(directory.join("plate.c"), PROGRAM)?;
    let product = Product::get()?;
    succeed(product.command("cppc-cc").args(["-o", "plate", "plate.c"]).current_dir(directory))?;
    let mut plate = Command::new(directory.join("plate"));
    without_settings(&mut plate);
    plate
        .env("CPPC_EVERY", "1")
        .env("CPPC_KILL_AFTER", "3")
        .current_dir(directory)
        .stderr(Stdio::null())
        .status()?;
    succeed(product.command("cppc").args(["report", "-o", "report.html"]).current_dir(directory))?;
    let page = format!("file://{}", directory.join("report.html").display());

    let text = shown(browser, directory, &["--dump-dom", &page])?;
    ensure!(text.contains("<h1>State of plate</h1>") && text.contains("data:image/png;base64,"), "{text}");

    shown(browser, directory, &["--screenshot=page.png", "--window-size=1200,3000", &page])?;
    let file = std::io::BufReader::new(std::fs::File::open(directory.join("page.png"))?);
    let mut reader = png::Decoder::new(file).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().context("the screenshot is too large")?];
    let info = reader.next_frame(&mut pixels)?;
    let colours: BTreeSet<&[u8]> = pixels.chunks_exact(info.color_type.samples()).collect();
    // The colours of the array. Text and bars have only shades of few colours.
    ensure!(colours.len() > 500, "the page has only {} colours", colours.len());
    Ok(())
}

/// The output of the browser. It has no network, and its own directory for its files.
fn shown(browser: &Path, directory: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ]);
    command.arg("--host-resolver-rules=MAP * ~NOTFOUND");
    command.arg(format!("--user-data-dir={}", directory.join("profile").display()));
    let output = command.args(arguments).current_dir(directory).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
