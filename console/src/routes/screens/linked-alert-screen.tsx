import { useState } from "react";
import { LinkedAlert } from "../../features/alerts/link/linked-alert.tsx";
import { SmallTrend } from "../../features/devices/trend/small-trend.tsx";
import { useLocation } from "../../ui/router/hooks.ts";

/** /c: the alert of the link in a message, for its recipient. */
export const LinkedAlertScreen = () => {
  const secret = useLocation(({ state }) => state.secret);
  // The location is that of the next page as soon as a link on this one is followed.
  const [link] = useState(secret);
  return (
    <LinkedAlert link={link ?? ""} trend={({ alert, trend }) => trend && <SmallTrend alert={alert} trend={trend} />} />
  );
};
