import { EntryFrame } from "../../features/accounts/entry/entry-frame.tsx";
import { redirectFor } from "../../session/guard.ts";
import { startPageOf } from "../../session/landing.ts";
import { useSession } from "../../session/session.ts";
import { Button } from "../../ui/control/button.tsx";
import { useLocation } from "../../ui/router/hooks.ts";
import { Link } from "../../ui/router/link.tsx";
import { pages } from "../pages.ts";
import classes from "./onboarding-done.module.css";

interface OnboardingDoneProps {
  /** The page where devices are configured; undefined for a role that does not configure. */
  devices: string | undefined;
  /** The page to continue to otherwise. */
  website: string;
}

/** Onboarding is complete: continue to the devices or to the console. (spec 2 §2) */
export const OnboardingDone = ({ devices, website }: OnboardingDoneProps) => {
  const { user } = useSession();
  return (
    <section className={classes.introduced}>
      <h1>Congratulations</h1>
      <p>
        Your account is ready, {user.firstName || user.email}.{" "}
        {devices !== undefined && "Continue to your devices, or have a look around first."}
      </p>
      <div className={classes.buttons}>
        {devices !== undefined && (
          <Button component={Link} to={devices} className={classes.button} fullWidth>
            Configuration device
          </Button>
        )}
        <Button
          component="a"
          href={website}
          variant={devices === undefined ? "filled" : "default"}
          className={classes.button}
          fullWidth
        >
          Skip, go to website
        </Button>
      </div>
    </section>
  );
};

/** Pages where devices are configured, best first. */
const places = ["/configureDevices", "/devices"];

/** /personalInformationCreated: continues to the devices, or to the requested page. */
export const OnboardingDoneScreen = () => {
  const { user, can } = useSession();
  const from = useLocation(({ state }) => state.from);
  const devices = places.find(
    (place) =>
      can("configuration.read") &&
      pages.some(({ path, needs }) => path === place && redirectFor(user, needs) === undefined),
  );
  return (
    <EntryFrame title="Congratulations">
      <OnboardingDone devices={devices} website={from ?? startPageOf(user)} />
    </EntryFrame>
  );
};
