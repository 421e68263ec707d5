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

// What the page at this address needs: its files and first calls, which the build names, and who the signed-in user is. All would else be asked for once the
// first script has come and run. Meanwhile what it begins with is there at once.
(() => {
  let token = null;
  try {
    token = localStorage.getItem("telltale-token");
  } catch {
    // The login says what is wrong.
  }
  const named = (what) =>
    JSON.parse(document.querySelector(`meta[name="${what}"]`)?.content ?? "{}")[location.pathname];
  const files = named("first-files");
  const isLogin = location.pathname === "/login";
  // Any other page leads to the login without a token, and the login to another with one.
  if (!files || isLogin === Boolean(token)) return;
  document.documentElement.dataset.opens = isLogin ? "login" : "shell";
  const links = files.map((file) => {
    const kind = file.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
    return Object.assign(document.createElement("link"), kind, { crossOrigin: "", href: `/${file}` });
  });
  document.head.append(...links);
  if (isLogin) return;
  globalThis.telltaleAsked = {};
  // With parameters the page is another one: the past of a dashboard begins with other calls.
  const begins = location.search ? [] : (named("first-calls") ?? []);
  for (const path of ["/api/user/get/UserInfo", ...begins]) {
    const url = `${path}?${new URLSearchParams({ token })}`;
    const answer = fetch(url);
    answer.catch(() => undefined);
    globalThis.telltaleAsked[url] = answer;
  }
})();
