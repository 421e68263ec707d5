import { IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { useRetryLive } from "../../../session/live/live.ts";
import { Button } from "../../../ui/control/button.tsx";
import { recent } from "../../../ui/format/time.ts";
import classes from "./lost-line.module.css";

/** Says from when everything below is, while there is no connection to the server. `at`: epoch milliseconds. */
export const LostLine = ({ at }: { at: number }) => {
  const retry = useRetryLive();
  return (
    <div className={classes.line} role="status">
      <span className={classes.sign}>
        <IconPlugConnectedX size={18} stroke={1.7} aria-hidden />
      </span>
      <p>
        <b>
          Values from <time dateTime={new Date(at).toISOString()}>{recent(at)}</time>
        </b>{" "}
        <span>No connection to the server. Nothing below is live, and confirming waits for the connection.</span>
      </p>
      <Button variant="default" size="xs" leftSection={<IconRefresh size={15} aria-hidden />} onClick={retry}>
        Try now
      </Button>
    </div>
  );
};
