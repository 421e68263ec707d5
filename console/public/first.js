// Runs before the first paint and before any module. It is a file of its own and not an inline script because the
// content security policy allows none.

// The theme, so that a dark console never flashes white.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("telltale-theme");
  } catch {
    // Storage may be blocked; then the system decides.
  }
  const dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();

// zod would try whether it may compile its checks with eval, which the policy refuses and the browser reports. Each
// schema asks when it is made, so this can't wait for a module.
globalThis.__zod_globalConfig = { jitless: true };
