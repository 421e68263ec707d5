import { IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { Button } from "../../ui/control/button.tsx";
import { useRecent } from "../../ui/format/time.ts";
import { useLostAt, useRetryLive } from "./live.ts";
import classes from "./lost-line.module.css";

/** Says from when everything below is, while there is no connection to the server; nothing while there is one. */
export const LostLine = () => {
  const at = useLostAt();
  const retry = useRetryLive();
  const { recent } = useRecent();
  if (at === null) return null;
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
