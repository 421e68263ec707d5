import { IconBluetooth, IconDeviceMobile, IconPlug } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import classes from "./add-device.module.css";
import type { AddDeviceFlow } from "./use-add-device.ts";

/** Step 2: the hint what to do at the unit before it is confirmed. Enter goes on. */
export const PowerUpStep = ({ flow, formId }: { flow: AddDeviceFlow; formId: string }) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.focus(), []);
  return (
    <form
      id={formId}
      ref={form}
      tabIndex={-1}
      className={classes.hint}
      onSubmit={(event) => {
        event.preventDefault();
        flow.next();
      }}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.requestSubmit()}
    >
      <ul>
        <li>
          <IconPlug size={22} stroke={1.6} aria-hidden />
          <span>Power up the unit.</span>
        </li>
        <li>
          <IconDeviceMobile size={22} stroke={1.6} aria-hidden />
          <span>Set up its network through the mobile app.</span>
        </li>
        <li>
          <IconBluetooth size={22} stroke={1.6} aria-hidden />
          <span>The app reaches the unit over Bluetooth: stand beside it.</span>
        </li>
      </ul>
      <p>You can go on before that is done. The device is shown as Inactive until it reports for the first time.</p>
    </form>
  );
};
