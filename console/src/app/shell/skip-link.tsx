import classes from "./skip-link.module.css";

/** The first stop of the keyboard: past bar and menu, to the page. */
export const SkipLink = () => (
  <a className={classes.skip} href="#main">
    Skip to main content
  </a>
);
