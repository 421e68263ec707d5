import { useRemembered } from "../../ui/remembered.ts";

/** Whether alerts sound in this browser: off by default. Shared by all its tabs. */
export const useSoundSwitch = () => useRemembered("telltale-sound", false);
