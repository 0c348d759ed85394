//! The operator's code for referees on other machines: where it is said, and that it can be one.

use agon_proto::{Endpoint, InvitationCode, code_in, without_code};
use anyhow::{Context, bail};

const VARIABLE: &str = "AGON_REFEREE_CODE";

/// The code that was said: by a flag, or in the environment. The text of one that makes no sense is
/// not repeated: it may be nearly right.
pub(crate) fn chosen(flag: Option<&str>) -> anyhow::Result<Option<InvitationCode>> {
    if let Some(code) = flag {
        return code.parse().map(Some).context("--referee-code does not work");
    }
    let Some(code) = std::env::var_os(VARIABLE).filter(|code| !code.is_empty()) else {
        return Ok(None);
    };
    let code = code.to_str().unwrap_or_default();
    code.parse().map(Some).with_context(|| format!("{VARIABLE} does not work"))
}

/// The manager's address, with a code in it or without.
pub(crate) fn manager(url: &str) -> anyhow::Result<Endpoint> {
    if let Some(code) = code_in(url) {
        let shown = without_code(url);
        code.parse::<InvitationCode>()
            .with_context(|| format!("--manager {shown} does not work"))?;
        if !url.ends_with("/mcp") {
            bail!("--manager {shown} does not work: it ends with /mcp");
        }
    }
    Ok(Endpoint::new(url))
}
