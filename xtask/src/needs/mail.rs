//! What the mail server of the tests needs: Dovecot, and a Python that knows aiosmtpd.
//!
//! The Python gets a folder of its own beside the build, where the tests look for it. Whoever wants
//! another names it with `AGON_MAIL_PYTHON`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::{Tool, install, provide, run};

const TOOLS: &[Tool] = &[
    Tool {
        program: "dovecot",
        package: "dovecot-imapd dovecot-lmtpd",
        why: "mail is tested against a real server",
    },
    Tool { program: "openssl", package: "openssl", why: "that server needs a certificate" },
];

/// For the system's own Python, which an ordinary user can read wherever the build is.
const VENV: Tool = Tool {
    program: "python3",
    package: "python3 python3-venv",
    why: "the submission server of the tests is written in Python",
};

/// The release is fixed so that the same server is tested against everywhere.
const AIOSMTPD: &str = "aiosmtpd==1.4.6";

/// Makes sure that a mail server can be started.
pub(crate) fn provide_mail() -> anyhow::Result<()> {
    provide(TOOLS)?;
    if let Some(named) = env::var_os("AGON_MAIL_PYTHON") {
        let named = PathBuf::from(named);
        if !knows_aiosmtpd(&named) {
            bail!("AGON_MAIL_PYTHON names {}, which does not know aiosmtpd", named.display());
        }
        return Ok(());
    }
    let folder = build_folder()?.join("mail-venv");
    let python = folder.join("bin/python");
    if knows_aiosmtpd(&python) {
        return Ok(());
    }
    eprintln!("== making a Python with {AIOSMTPD} in {}", folder.display());
    let place = folder.to_str().context("the build folder's name is not UTF-8")?;
    if !make(place) {
        install(&VENV)?;
        if !make(place) {
            bail!("could not make {place} with `python3 -m venv`");
        }
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", AIOSMTPD];
    if !run(&[&python.to_string_lossy()], &pip) || !knows_aiosmtpd(&python) {
        bail!("could not install {AIOSMTPD} into {place}: do it by hand and run this again");
    }
    Ok(())
}

/// The system's own Python first: one that somebody built in a private folder cannot be read by
/// the ordinary user that the mail server becomes.
fn make(folder: &str) -> bool {
    let with = |python: &str| run(&[python], &["-m", "venv", "--clear", folder]);
    with("/usr/bin/python3") || with("python3")
}

fn knows_aiosmtpd(python: &Path) -> bool {
    python.exists() && run(&[&python.to_string_lossy()], &["-c", "import aiosmtpd"])
}

/// Where this very program was built: `<folder>/debug/xtask`.
fn build_folder() -> anyhow::Result<PathBuf> {
    let program = env::current_exe().context("could not find out where xtask was built")?;
    let folder = program.ancestors().nth(2).map(Path::to_path_buf);
    folder.context("xtask must have been built by cargo")
}
