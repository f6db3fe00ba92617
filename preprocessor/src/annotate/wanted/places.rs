//! Where directives belong.
//!
//! Input: a directive. Output: its place, and what a restart does there.

use cppc_source::Span;

use super::Wanted;

impl Wanted {
    /// Whether a restart continues at the directive.
    pub fn is_entered(&self) -> bool {
        match self {
            Wanted::Register { .. }
            | Wanted::RegisterFields { .. }
            | Wanted::RegisterFirst { .. }
            | Wanted::Allocated { .. }
            | Wanted::RegisterAfter { .. }
            | Wanted::RegisterAfterInit { .. }
            | Wanted::RegisterStatic { .. }
            | Wanted::Execute { .. }
            | Wanted::Setting { .. }
            | Wanted::Checkpoint { .. } => true,
            Wanted::UnregisterBefore { .. }
            | Wanted::Registrar { .. }
            | Wanted::RegistrarCall { .. }
            | Wanted::InitAfter { .. }
            | Wanted::InitFirst { .. }
            | Wanted::ShutdownBefore { .. }
            | Wanted::ShutdownLast { .. } => false,
        }
    }

    /// The code that the directive belongs to.
    pub fn place(&self) -> Span {
        match self {
            Wanted::Registrar { place, .. } => place.span(),
            Wanted::RegistrarCall { after, .. } => *after,
            Wanted::RegisterAfterInit { init, .. } => *init,
            Wanted::Register { at, .. }
            | Wanted::RegisterFields { at, .. }
            | Wanted::Allocated { at, .. }
            | Wanted::RegisterAfter { at, .. }
            | Wanted::Execute { at, .. }
            | Wanted::Setting { at, .. }
            | Wanted::UnregisterBefore { at, .. }
            | Wanted::Checkpoint { at, .. }
            | Wanted::InitAfter { at }
            | Wanted::ShutdownBefore { at } => *at,
            Wanted::InitFirst { procedure }
            | Wanted::ShutdownLast { procedure }
            | Wanted::RegisterStatic { procedure, .. }
            | Wanted::RegisterFirst { procedure, .. } => *procedure,
        }
    }
}
