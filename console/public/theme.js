// Sets the theme before the first paint, so that a dark console never flashes white. It is a file of its own and
// not an inline script because the content security policy allows none.
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
