import { useNavigate } from "@tanstack/react-router";
import purify from "dompurify";
import { type MouseEvent, type ReactNode, useMemo } from "react";
import classes from "./guide-html.module.css";

/** The server makes its HTML out of text; nothing else than such text may come out here, whatever the server sends. */
const clean = (html: string): string =>
  purify.sanitize(html, {
    USE_PROFILES: { html: true },
    ADD_ATTR: ["target"],
    FORBID_TAGS: ["form", "input", "style"],
  });

/** A link within the console is followed there; one to elsewhere is the browser's. */
const useInside = () => {
  const navigate = useNavigate();
  return (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.target === "_blank" || link.origin !== location.origin) return;
    event.preventDefault();
    void navigate({ href: `${link.pathname}${link.search}${link.hash}` });
  };
};

/** Text of the guide, as the server has made it. */
export const GuideHtml = ({ html }: { html: string }): ReactNode => {
  const follow = useInside();
  const inner = useMemo(() => ({ __html: clean(html) }), [html]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by key is clicked too
    // biome-ignore lint/a11y/noStaticElementInteractions: only the links within are for clicking
    // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned above
    <div className={classes.text} onClick={follow} dangerouslySetInnerHTML={inner} />
  );
};
