import { useLocation } from "@tanstack/react-router";
import { Introduced } from "../../features/accounts/introduced.tsx";
import { landingOf } from "../../session/landing.ts";
import { useSession } from "../../session/session.ts";
import { detour } from "../guard.ts";
import { pages } from "../pages.ts";
import { EntryFrame } from "./entry-frame.tsx";

/** Where devices are configured, best first. */
const places = ["/configureDevices", "/devices"];

/** /personalInformationCreated: to the devices, or to where the user wanted to go. */
export const IntroducedScreen = () => {
  const { user, can } = useSession();
  const from = useLocation({ select: ({ state }) => state.from });
  const devices = places.find(
    (place) =>
      can("configuration.read") && pages.some(({ path, needs }) => path === place && detour(user, needs) === undefined),
  );
  return (
    <EntryFrame title="Congratulations">
      <Introduced devices={devices} website={from ?? landingOf(user)} />
    </EntryFrame>
  );
};
