import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, Suspense, useEffect, useRef } from "react";
import { LiveProvider } from "../../session/live/live-provider.tsx";
import { lazyWithRetry, useIsServerUnreachable } from "../../ui/load-with-retry.ts";
import { Turn, useIsTurn, watchFirstScreen } from "../../ui/page/first-screen.ts";
import { Place } from "../../ui/place.tsx";
import { useRemembered } from "../../ui/remembered.ts";
import { useIsLoading, useLocation } from "../../ui/router/hooks.ts";
import { Outlet } from "../../ui/router/view.tsx";
import { pages } from "../pages.ts";
import { Bar } from "./bar.tsx";
import { DocumentTitle, useLeaveForbiddenPage, useOpenPage } from "./document-title.tsx";
import { useIsRewound } from "./live-indicator.tsx";
import { Menu } from "./menu.tsx";
import classes from "./shell.module.css";
import { TabBar } from "./tab-bar.tsx";

/** The first tab stop: skips bar and menu. */
const SkipLink = () => (
  <a className={classes.skip} href="#main">
    Skip to main content
  </a>
);

/** Moves the focus to the page after navigation, so that keyboard and screen reader start there. */
const usePageFocus = (): RefObject<HTMLElement | null> => {
  const main = useRef<HTMLElement>(null);
  const path = useLocation(({ pathname }) => pathname);
  const focused = useRef(path);
  useEffect(() => {
    if (focused.current === path) return;
    focused.current = path;
    // What was opened while the page was being loaded keeps the focus.
    if (!document.activeElement?.closest('[aria-modal="true"]')) main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
};

/** Delay after which the first screen is assumed to be loaded, in milliseconds. */
const later = 4000;

/** Resolves when the browser has nothing else to do. */
const idle = () => new Promise<void>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(() => resolve()));

/** One after the other: all at once would keep a slow phone busy for a second. What fails to load now is loaded, or reports its error, when it is needed. */
const preload = async (isWanted: () => boolean): Promise<void> => {
  const { preloadParts } = await import("./preload-parts.ts");
  for (const load of [...pages.map(({ screen }) => screen.load), ...preloadParts]) {
    await idle();
    if (!isWanted()) return;
    await load().catch(() => undefined);
  }
};

/** Prefetches the other screens and the dialogs after the first screen, so that they open at once, also when the server is unreachable. */
const usePreload = (): void => {
  useEffect(() => {
    let isHere = true;
    const timer = setTimeout(() => void preload(() => isHere).catch(() => undefined), later);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, []);
};

/** Not part of the initial bundle: shortcuts are not needed before the first screen is shown. */
const ShortcutKeys = lazyWithRetry(() => import("../../features/personal/shortcuts/shortcut-keys.tsx"), "ShortcutKeys");
const MemberMenu = lazyWithRetry(() => import("./member-menu.tsx"), "MemberMenu");

/** While the code of a page can't be loaded, the previous page stays on screen: this explains why, and that no action is needed. */
const AwayNote = () => {
  const isOpening = useIsLoading();
  const isAway = useIsServerUnreachable();
  if (!isOpening || !isAway) return null;
  return (
    <p role="status" className={classes.away}>
      Network is busy. The page opens as soon as the server answers.
    </p>
  );
};

/** The frame of all signed-in screens: bar, menu, page. The document scrolls, not the page inside it. */
export const Shell = () => {
  const [isRail, setRail] = useRemembered("telltale-rail", false);
  const menu = useOpenPage()?.menuKind ?? "main";
  const main = usePageFocus();
  const isRewound = useIsRewound();
  const queries = useQueryClient();
  useEffect(() => watchFirstScreen(queries), [queries]);
  const hasKeys = useIsTurn(Turn.keys);
  usePreload();
  useLeaveForbiddenPage();
  return (
    <LiveProvider>
      <DocumentTitle />
      <SkipLink />
      <Bar />
      <Place name="below-bar" />
      <div
        className={classes.layout}
        data-rail={isRail || undefined}
        data-menu={menu}
        data-rewound={isRewound || undefined}
      >
        {menu === "member" ? (
          <Suspense fallback={<div className={classes.noMenu} />}>
            <MemberMenu />
          </Suspense>
        ) : (
          <Menu isRail={isRail} onToggle={() => setRail(!isRail)} />
        )}
        <main id="main" ref={main} className={classes.main} tabIndex={-1}>
          <AwayNote />
          <Outlet />
        </main>
      </div>
      <TabBar />
      {hasKeys && (
        <Suspense>
          <ShortcutKeys />
        </Suspense>
      )}
    </LiveProvider>
  );
};
