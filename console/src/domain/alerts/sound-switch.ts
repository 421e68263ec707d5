import { useRemembered } from "../../ui/remembered.ts";

let isSampleDue = false;

/** Whether the sound has been switched on in this tab since the last call: then a sample of it is played. */
export const takeSample = (): boolean => {
  const isDue = isSampleDue;
  isSampleDue = false;
  return isDue;
};

/** Whether alerts sound in this browser: off by default. Shared by all its tabs. */
export const useSoundSwitch = (): readonly [isOn: boolean, switchTo: (isOn: boolean) => void] => {
  const [isOn, remember] = useRemembered("telltale-sound", false);
  const switchTo = (next: boolean): void => {
    isSampleDue = next;
    remember(next);
  };
  return [isOn, switchTo];
};
