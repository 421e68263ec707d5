import { QueryClientProvider } from "@tanstack/react-query";
import { Message } from "@telltale/contract/call/codes";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { pageAt } from "./routes/pages.ts";
import { createConsoleRouter } from "./routes/router.ts";
import { onSessionExpired } from "./session/client.ts";
import { createQueryClient } from "./session/query.ts";
import { forgetSession } from "./session/session.ts";
import { onTokenOfOtherTab } from "./session/token.ts";
import { warn } from "./ui/dialog/messages.ts";
import { MessagesPlace } from "./ui/dialog/messages-place.tsx";
import { RouterView } from "./ui/router/view.tsx";
import "./ui/theme/mantine.css";
import "virtual:mantine-variables.css";
import "./ui/theme/tokens.css";
import "./ui/theme/fonts.css";
import "virtual:sans.css";
import "./ui/theme/base.css";
import "./ui/theme/print.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root");

const start = (): void => {
  const queries = createQueryClient();
  const router = createConsoleRouter({ queries });

  onSessionExpired(() => {
    const shown = router.shown();
    // Returns to the page afterwards, but never to an address that signs in by a token.
    const from = shown && pageAt(shown.route.path) ? shown.location.href : undefined;
    warn(Message.loginAgain);
    void router
      .navigate({ to: "/login", state: from === undefined ? {} : { from } })
      .then(() => forgetSession(queries));
  });

  // Another tab signed in, signed out or switched accounts: this one would show one plant and act on another.
  onTokenOfOtherTab(() => location.reload());

  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterView router={router} />
      </QueryClientProvider>
      <MessagesPlace />
    </StrictMode>,
  );
};

// Apart from the running of the modules, which by itself is as much as a slow phone does without a pause.
setTimeout(start);
