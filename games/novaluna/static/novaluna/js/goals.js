/* Show how far the goals of a placed tile are: which tiles count, and how many of each colour are there.
 *
 * A pointer on the tile, a touch, or the key G (tile after tile with open goals) shows it, on every display. The
 * symbols of the tiles have their goals (data-goals="sw:bbr;se:y;"), and #goal-words has the words.
 */
"use strict";
(() => {
  const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  const words = document.getElementById("goal-words")?.dataset;
  if (!words) return;
  const note = Object.assign(document.createElement("div"), { className: "goal-note panel", hidden: true });
  document.getElementById("main").append(note);
  let shown = null; // the place whose goals are shown

  const codeOf = (place) => place.querySelector(":scope > .tile__art > use")?.getAttribute("href").replace("#tile-", "");
  const colourOf = (place) => codeOf(place).charAt(0).toLowerCase();
  const placedTile = (target) => {
    const place = target.closest?.(".display > li");
    return place && codeOf(place) ? place : null;
  };

  /** Return the placed tiles of a display by their coordinates. */
  function tilesOf(display) {
    const places = Places.of(display).filter(codeOf);
    return new Map(places.map((place) => [Places.key(place), place]));
  }

  function neighbours(place, tiles) {
    const [x, y] = Places.coordinates(place);
    return SIDES.map(([dx, dy]) => tiles.get(`${x + dx}_${y + dy}`)).filter(Boolean);
  }

  /** Return the group of a tile: the tiles of its colour that are connected with it, and itself. */
  function groupOf(place, tiles) {
    const group = new Set([place]);
    for (const member of group) {
      for (const near of neighbours(member, tiles)) if (colourOf(near) === colourOf(place)) group.add(near);
    }
    return group;
  }

  /** Return the tiles that count for the goals of a tile: those of its own group and of the groups beside it. */
  function supportOf(place) {
    const tiles = tilesOf(place.parentElement);
    const counted = new Set([place, ...neighbours(place, tiles)].flatMap((near) => [...groupOf(near, tiles)]));
    counted.delete(place);
    return counted;
  }

  /** Return the goals of a tile: whether each is covered and, for each colour, how many tiles it needs and has. */
  function goalsOf(place, counted) {
    const covered = new Set([...place.querySelectorAll("use[href^='#disc-']")].map((use) => use.getAttribute("href").slice(-2)));
    const goals = document.getElementById(`tile-${codeOf(place)}`).dataset.goals;
    return goals.split(";").filter(Boolean).map((goal) => {
      const [corner, dots] = goal.split(":");
      const colours = [...new Set(dots)].map((colour) => {
        const need = dots.split(colour).length - 1;
        const have = [...counted].filter((tile) => colourOf(tile) === colour).length;
        return { colour, need, have: Math.min(have, need) };
      });
      return { isCovered: covered.has(corner), colours };
    });
  }

  function text({ colour, need, have }) {
    return words.part.replace("{have}", have).replace("{need}", need).replace("{colour}", words[colour]);
  }

  function show(place) {
    hide();
    const counted = supportOf(place);
    const goals = goalsOf(place, counted);
    if (!goals.length) return;
    shown = place;
    note.replaceChildren(...goals.map(row));
    note.hidden = false;
    const needed = new Set(goals.flatMap((goal) => (goal.isCovered ? [] : goal.colours)).map(({ colour }) => colour));
    for (const tile of counted) tile.classList.toggle("is-counted", needed.has(colourOf(tile)));
    put(place);
  }

  function row({ isCovered, colours }) {
    const line = document.createElement("p");
    for (const { colour, need, have } of colours) {
      for (let nth = 0; nth < need; nth++) {
        const isThere = isCovered || nth < have;
        line.insertAdjacentHTML("beforeend", `<svg class="dot-${colour}${isThere ? " is-there" : ""}" aria-hidden="true"><use href="#glyph-${colour}"/></svg>`);
      }
    }
    const said = document.createElement("span");
    said.textContent = isCovered ? words.covered : colours.map(text).join(", ");
    line.append(said);
    return line;
  }

  /** Put the note above the tile, or below it where there is no room. */
  function put(place) {
    const tile = place.getBoundingClientRect();
    note.style.left = 0; // A note at the right edge would be narrower than it can be.
    const middle = tile.left + (tile.width - note.offsetWidth) / 2;
    const left = Math.max(Math.min(middle, innerWidth - note.offsetWidth - 8), 8);
    const above = tile.top - note.offsetHeight - 8;
    note.style.left = `${left}px`;
    note.style.top = `${above >= 8 ? above : tile.bottom + 8}px`;
  }

  function hide() {
    if (!shown) return;
    shown = null;
    note.hidden = true;
    document.querySelectorAll(".is-counted").forEach((tile) => tile.classList.remove("is-counted"));
  }

  /** Show the goals of the next tile of the large display that has open goals, and say them. */
  function showNext() {
    const open = [...tilesOf(document.querySelector("#display .display")).values()]
      .filter((place) => goalsOf(place, supportOf(place)).some(({ isCovered }) => !isCovered));
    const next = open[(open.indexOf(shown) + 1) % open.length];
    if (!next) return;
    show(next);
    Announcer.say([next.querySelector(".tile__art").getAttribute("aria-label"), ...[...note.children].map((line) => line.textContent)].join(". "));
  }

  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType !== "mouse") return;
    const place = placedTile(target);
    if (place !== shown) place ? show(place) : hide();
  });
  document.addEventListener("click", ({ target, pointerType }) => {
    const place = pointerType === "mouse" ? null : placedTile(target);
    if (place && place !== shown) show(place);
    else if (pointerType !== "mouse") hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const isOff = document.getElementById("game")?.dataset.shortcuts === "off";
    if (isOff || event.defaultPrevented || document.querySelector("dialog[open]") || !document.querySelector("#display .display")) return;
    if (Keyboard.meanings(event).includes("g")) showNext();
  });
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  document.addEventListener("htmx:beforeSwap", hide);
})();
