import { useLocalStorage } from "@mantine/hooks";

/** Whether alerts sound in this browser: off by default. Shared by all its tabs. */
export const useSoundSwitch = () =>
  useLocalStorage({ key: "telltale-sound", defaultValue: false, getInitialValueInEffect: false });
