import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconBrightness, IconMoon, IconSun } from "@tabler/icons-react";
import classes from "./theme-switch.module.css";

const themes: Record<MantineColorScheme, { icon: typeof IconSun; label: string; next: MantineColorScheme }> = {
  light: { icon: IconSun, label: "Theme: light", next: "dark" },
  dark: { icon: IconMoon, label: "Theme: dark", next: "auto" },
  auto: { icon: IconBrightness, label: "Theme: as the system", next: "light" },
};

/** Goes round light, dark, as the system; remembered in this browser. */
export const ThemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: ThemeIcon, label, next } = themes[colorScheme];
  return (
    <button
      type="button"
      className={classes.switch}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(next)}
    >
      <ThemeIcon size={18} stroke={1.6} aria-hidden />
    </button>
  );
};
