import purify from "dompurify";
import { type MouseEvent, type ReactNode, useMemo } from "react";
import { useNavigate } from "../../ui/router/hooks.ts";
import classes from "./guide-html.module.css";

/** Sanitises HTML: only the markup that the server generates from the guide may be rendered, whatever the server sends. */
const clean = (html: string): string =>
  purify.sanitize(html, {
    USE_PROFILES: { html: true },
    ADD_ATTR: ["target"],
    FORBID_TAGS: ["form", "input", "style"],
  });

/** Links within the console are handled by the router; others by the browser. */
const useRouterLinks = () => {
  const navigate = useNavigate();
  return (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.target === "_blank" || link.origin !== location.origin) return;
    event.preventDefault();
    void navigate({ href: `${link.pathname}${link.search}${link.hash}` });
  };
};

/** Text of the guide, as HTML from the server. */
export const GuideHtml = ({ html }: { html: string }): ReactNode => {
  const follow = useRouterLinks();
  const inner = useMemo(() => ({ __html: clean(html) }), [html]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: following a link by key fires a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: only the links within are clickable
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised above
    <div className={classes.text} onClick={follow} dangerouslySetInnerHTML={inner} />
  );
};
