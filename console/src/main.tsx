import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Message } from "@telltale/contract/call/codes";
import { StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { createConsoleRouter } from "./routes/router.tsx";
import { onSessionExpired } from "./session/client.ts";
import { createQueryClient } from "./session/query.ts";
import { forgetSession } from "./session/session.ts";
import { onTokenOfOtherTab } from "./session/token.ts";
import { warn } from "./ui/dialog/notify.tsx";
import { lazyWithRetry } from "./ui/load-with-retry.ts";
import "./ui/theme/mantine.css";
import "./ui/theme/tokens.css";
import "./ui/theme/fonts.css";
import "./ui/theme/base.css";
import { cssVariables, theme } from "./ui/theme/theme.ts";

/** `public/first.js` reads the same key before the first paint. */
const colorSchemes = localStorageColorSchemeManager({ key: "telltale-theme" });

const Toaster = lazyWithRetry(() => import("./ui/dialog/toaster.tsx"), "Toaster");

const queries = createQueryClient();
const router = createConsoleRouter(queries);

onSessionExpired(() => {
  const { location, matches } = router.state;
  // Returns to the page afterwards, but never to an address that signs in by a token.
  const from = matches.some(({ staticData }) => staticData.page) ? location.href : undefined;
  warn(Message.loginAgain);
  void router.navigate({ to: "/login", state: from === undefined ? {} : { from } }).then(() => forgetSession(queries));
});

// Another tab signed in, signed out or switched accounts: this one would show one plant and act on another.
onTokenOfOtherTab(() => location.reload());

// The CSP allows style elements with this nonce. Mantine receives it below; the scroll lock of dialogs reads it here.
const styleNonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root");
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Suspense>
        <Toaster />
      </Suspense>
    </MantineProvider>
  </StrictMode>,
);
