import { useLocalStorage } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { LiveProvider } from "../../session/live-provider.tsx";
import { lazyPart } from "../../ui/load-part.ts";
import { Bar } from "./bar.tsx";
import { Menu } from "./menu.tsx";
import classes from "./shell.module.css";
import { SkipLink } from "./skip-link.tsx";
import { TabBar } from "./tab-bar.tsx";
import { Telltale, useOpenPage } from "./telltale.tsx";
import { usePageFocus } from "./use-page-focus.ts";
import { usePreload } from "./use-preload.ts";
import { useRights } from "./use-rights.ts";
import { useSettled } from "./use-settled.ts";

/** Not part of the first screen: nobody presses keys before there is something to see. */
const ShortcutKeys = lazyPart(() => import("../../features/keyboard/shortcut-keys.tsx"), "ShortcutKeys");
const MemberMenu = lazyPart(() => import("./member-menu.tsx"), "MemberMenu");

/** The frame of every signed-in screen: bar, menu, page. The document scrolls, not the page inside it. */
export const Shell = () => {
  const [isRail, setRail] = useLocalStorage({
    key: "telltale-rail",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const menu = useOpenPage()?.menuKind ?? "main";
  const main = usePageFocus();
  const isSettled = useSettled();
  usePreload();
  useRights();
  return (
    <LiveProvider>
      <Telltale />
      <SkipLink />
      <Bar />
      <div className={classes.layout} data-rail={isRail || undefined} data-menu={menu}>
        {menu === "member" ? (
          <Suspense fallback={<div className={classes.noMenu} />}>
            <MemberMenu />
          </Suspense>
        ) : (
          <Menu isRail={isRail} onToggle={() => setRail(!isRail)} />
        )}
        <main id="main" ref={main} className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <TabBar />
      {isSettled && (
        <Suspense>
          <ShortcutKeys />
        </Suspense>
      )}
    </LiveProvider>
  );
};
