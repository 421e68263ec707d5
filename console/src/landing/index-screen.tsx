import { Analog, analogLabels } from "@telltale/contract/domains/channels";
import { type ReactNode, useEffect } from "react";
import { ChannelIcon, MotorIcon } from "../domain/channel-icon.tsx";
import { Button } from "../ui/control/button.tsx";
import { Link } from "../ui/router/link.tsx";
import { Mark } from "../ui/status/mark.tsx";
import { documentTitle } from "../ui/title.ts";
import { AlertLifecycle } from "./alert-lifecycle.tsx";
import { Annunciator } from "./annunciator.tsx";
import { Examples } from "./examples.tsx";
import classes from "./index-screen.module.css";
import { PublicBar, useSignInLink } from "./public-bar.tsx";

const analog = [
  Analog.pressure,
  Analog.temperature,
  Analog.humidity,
  Analog.flow,
  Analog.frequency,
  Analog.noise,
  Analog.torque,
  Analog.displacement,
  Analog.speed,
  Analog.vibration,
  Analog.illuminance,
  Analog.acceleration,
  Analog.gasConcentration,
];
const kinds: readonly [label: string, icon: ReactNode][] = [
  ...analog.map((id): [string, ReactNode] => [analogLabels[id], <ChannelIcon key={id} analogId={id} size={20} />]),
  ["Digital input", <ChannelIcon key="di" analogId={Analog.digitalInput} size={20} />],
  ["Digital output", <ChannelIcon key="do" analogId={Analog.digitalOutput} size={20} />],
  ["Motor controller", <MotorIcon key="motor" />],
];

/** All quantities that a device can measure. */
export const Quantities = () => (
  <ul className={classes.kinds}>
    {kinds.map(([label, icon]) => (
      <li key={label}>
        {icon}
        {label}
      </li>
    ))}
  </ul>
);

const Hero = () => {
  const { to, state, label, isSignedIn } = useSignInLink();
  return (
    <section className={classes.hero}>
      <div>
        <h1>
          Quiet until
          <br />
          it matters.
        </h1>
        <p>
          Telltale watches the pressures, temperatures, flows, vibrations and switches on your equipment. Screens stay
          calm while values are inside their limits. When one leaves them, an alert is on the screen within a second,
          and a user confirms it.
        </p>
        <div className={classes.ways}>
          <Button className={classes.way} component={Link} to={to} state={state}>
            {label}
          </Button>
          {!isSignedIn && (
            <Button className={classes.way} variant="default" component={Link} to="/register">
              Register with a device ID
            </Button>
          )}
        </div>
      </div>
      <Annunciator />
    </section>
  );
};

/** The public page: what the product does, and the buttons to sign in. */
export const IndexScreen = () => {
  useEffect(() => {
    document.title = documentTitle("Device monitoring");
  }, []);
  return (
    <div className={classes.page}>
      <PublicBar />
      <main>
        <Hero />
        <Examples />
        <section className={classes.section}>
          <div className={classes.head}>
            <h2>One alert, three states</h2>
            <p>
              The mark loses ink at each step: solid, outlined, then a plain tick. You can tell them apart without
              colour.
            </p>
          </div>
          <AlertLifecycle />
        </section>
        <div className={classes.plain}>
          <section className={classes.section}>
            <div className={classes.head}>
              <h2>What a device can report</h2>
              <p>
                Wireless sensor devices with analog, digital input, digital output and vibration channels, and modbus
                motor and power controllers.
              </p>
            </div>
            <Quantities />
          </section>
        </div>
      </main>
      <footer className={classes.foot}>
        <div>
          <Mark size={22} />
          <b>Telltale</b>
          <p>Monitoring for industrial equipment.</p>
          <nav aria-label="Terms">
            <Link to="/agreement" search={{ type: "1" }}>
              Terms of use
            </Link>
            <Link to="/agreement" search={{ type: "2" }}>
              Privacy policy
            </Link>
          </nav>
        </div>
      </footer>
    </div>
  );
};
