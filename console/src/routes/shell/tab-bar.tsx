import { IconMenu2 } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./tab-bar.module.css";
import { useMenu } from "./use-menu.ts";

const MenuSheet = lazyWithRetry(() => import("./menu-sheet.tsx"), "MenuSheet");

/** The menu of a phone, at the bottom within reach of the thumb; pages without a tab are behind MENU. */
export const TabBar = () => {
  const entries = useMenu();
  const [sheet, setSheet] = useState<"unused" | "open" | "closed">("unused");
  return (
    <nav className={classes.bar} aria-label="Main menu">
      {entries
        .filter(({ isTab }) => isTab)
        .map(({ path, label, icon: TabIcon, isOpen }) => (
          <Link key={path} to={path} className={classes.tab} aria-current={isOpen ? "page" : undefined}>
            <TabIcon size={21} stroke={1.7} aria-hidden />
            <span>{label}</span>
          </Link>
        ))}
      <button
        type="button"
        className={classes.tab}
        aria-haspopup="dialog"
        aria-expanded={sheet === "open"}
        onClick={() => setSheet("open")}
      >
        <IconMenu2 size={21} stroke={1.7} aria-hidden />
        <span>MENU</span>
      </button>
      {sheet !== "unused" && (
        <Suspense>
          <MenuSheet
            isOpen={sheet === "open"}
            onClose={() => setSheet("closed")}
            entries={entries.filter(({ isTab }) => !isTab)}
          />
        </Suspense>
      )}
    </nav>
  );
};
