import { Drawer, type MantineColorScheme, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { LiveIndicator } from "./live-indicator.tsx";
import classes from "./menu-sheet.module.css";
import type { MenuEntry } from "./use-menu.ts";

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "As the system" },
];

const ThemeRow = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.row}>
      <span id="theme-label">Theme</span>
      <SegmentedControl aria-labelledby="theme-label" data={themes} value={colorScheme} onChange={setColorScheme} />
    </div>
  );
};

interface MenuSheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** The pages that have no tab. */
  entries: readonly MenuEntry[];
}

/** What a phone's bar has no room for: the other pages, live state, theme. */
export const MenuSheet = ({ isOpen, onClose, entries }: MenuSheetProps) => (
  <Drawer.Root opened={isOpen} onClose={onClose} position="bottom" size="auto" zIndex={200}>
    <Drawer.Overlay className={classes.overlay} />
    <Drawer.Content classNames={{ content: classes.sheet }}>
      <div className={classes.head}>
        <Drawer.Title className={classes.title}>Menu</Drawer.Title>
        <Drawer.CloseButton aria-label="Close" size={44} iconSize={20} />
      </div>
      <Drawer.Body className={classes.body}>
        {entries.map(({ path, label, icon: EntryIcon, isOpen: isCurrent }) => (
          <Link
            key={path}
            to={path}
            className={classes.entry}
            aria-current={isCurrent ? "page" : undefined}
            onClick={onClose}
          >
            <EntryIcon size={20} stroke={1.6} aria-hidden />
            {label}
          </Link>
        ))}
        <div className={classes.row}>
          <span>Connection</span>
          <LiveIndicator inSheet />
        </div>
        <ThemeRow />
      </Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
);
