import { useLocalStorage } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { LiveProvider } from "../../session/live-provider.tsx";
import { Bar } from "./bar.tsx";
import { MemberMenu } from "./member-menu.tsx";
import { Menu } from "./menu.tsx";
import classes from "./shell.module.css";
import { SkipLink } from "./skip-link.tsx";
import { TabBar } from "./tab-bar.tsx";
import { Telltale } from "./telltale.tsx";
import { useMenuKind } from "./use-menu.ts";
import { usePageFocus } from "./use-page-focus.ts";
import { usePreload } from "./use-preload.ts";

/** The frame of every signed-in screen: bar, menu, page. The document scrolls, not the page inside it. */
export const Shell = () => {
  const [isRail, setRail] = useLocalStorage({
    key: "telltale-rail",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const menu = useMenuKind();
  const main = usePageFocus();
  usePreload();
  return (
    <LiveProvider>
      <Telltale />
      <SkipLink />
      <Bar />
      <div className={classes.layout} data-rail={isRail || undefined} data-menu={menu}>
        {menu === "member" ? <MemberMenu /> : <Menu isRail={isRail} onToggle={() => setRail(!isRail)} />}
        <main id="main" ref={main} className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <TabBar />
    </LiveProvider>
  );
};
