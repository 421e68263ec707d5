import { Link } from "@tanstack/react-router";
import classes from "./tab-bar.module.css";
import { useMenu } from "./use-menu.ts";

/** The menu of a phone, at the bottom in reach of the thumb. */
export const TabBar = () => {
  const tabs = useMenu().filter(({ isTab }) => isTab);
  return (
    <nav className={classes.bar} aria-label="Main menu">
      {tabs.map(({ path, label, icon: TabIcon, isOpen }) => (
        <Link key={path} to={path} className={classes.tab} aria-current={isOpen ? "page" : undefined}>
          <TabIcon size={21} stroke={1.7} aria-hidden />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  );
};
