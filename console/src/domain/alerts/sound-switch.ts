import { useLocalStorage } from "@mantine/hooks";

/** Whether alerts sound in this browser: off until somebody switches it on. The same in all its tabs. */
export const useSoundSwitch = () =>
  useLocalStorage({ key: "telltale-sound", defaultValue: false, getInitialValueInEffect: false });
