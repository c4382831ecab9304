(function () {
  "use strict";
  const main = document.querySelector("main");
  let mark = "";
  const ask = async () => {
    try {
      const answer = await fetch("/", { headers: mark ? { "If-None-Match": mark } : {} });
      if (answer.status === 200) {
        mark = answer.headers.get("ETag");
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        main.replaceChildren(...page.querySelector("main").childNodes);
      }
      main.classList.remove("stale");
    } catch {
      main.classList.add("stale"); // the server has ended, or is started again
    }
    setTimeout(ask, document.hidden ? 10000 : 2000);
  };
  setTimeout(ask, 1000);
})();
