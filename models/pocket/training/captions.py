"""Random captions of a record, with what each caption claims, so that a caption that is also true of another image is known.

A record: {"room", "total": {category: n}, "seen": {category: n}, "view": "top" | "angled" | "side"}.
A claim: {"counts": {concept: n, or -1 for one or more}, "room": type or None, "view": kind or None}.
"""
from words import (ADJECTIVES, KINDS, MEDIA, NAMES, NUMBERS, PLACES, ROOM_ADJECTIVES, ROOMS, VIEW_NOUNS, VIEWS, article, plural,
                   singular)

VIEWPOINTS = {"top-down": "top", "bird-eye": "top"}


def grammar():
    """The 337 wrappers of the reference grammar (design section 4): (text with {}, viewpoint or None)."""
    openings = []
    for viewpoint in ("top-down", "bird-eye"):
        for noun in ("rendering", "view", "image", "picture", "photo"):
            openings += [(f"a {viewpoint} {noun}", viewpoint), (f"{viewpoint} {noun}", viewpoint)]
    for noun in ("rendering", "image", "picture", "photo"):
        openings += [(article(noun), None), (noun, None)]
    found = [("{}", None)]
    for opening, viewpoint in openings:
        for connective in ("depicting", "about", "of"):
            for frame in ("a virtual scene: ", "a scene: ", "scene: ", ""):
                found.append((f"{opening} {connective} {frame}{{}}", viewpoint))
    return found


GRAMMAR = grammar()
PLAIN = [entry for entry in GRAMMAR if entry[1] is None]


def concepts(categories):
    """Categories in use, then the kinds with at least two members in use (or whose name no category carries)."""
    kinds = [kind for kind, (_, members) in KINDS.items() if sum(m in categories for m in members) >= 2]
    return [*categories, *kinds]


def concept_counts(counts, names):
    out = []
    for name in names:
        members = KINDS[name][1] if name in KINDS else [name]
        out.append(sum(counts.get(m, 0) for m in members))
    return out


def names_of(concept):
    if concept in KINDS:
        return KINDS[concept][0]
    return NAMES.get(concept) or [concept.replace("_", " ")]


def listed(parts):
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


class Captioner:
    def __init__(self, categories, rng):
        self.categories, self.rng = list(categories), rng
        self.kind_of = {}
        for kind in concepts(self.categories)[len(self.categories):]:
            for member in KINDS[kind][1]:
                self.kind_of.setdefault(member, kind)

    def phrase(self, category, record, claim, adjective=0.0, synonym=0.3, kind=0.1, total=True):
        """One object phrase; writes what it claims. Counts are exact up to ten, or left open ("some chairs")."""
        rng = self.rng
        concept, counts = category, record["total"]
        if category in self.kind_of and rng.random() < kind:
            concept = self.kind_of[category]
        members = KINDS[concept][1] if concept in KINDS else [concept]
        n = sum(counts.get(m, 0) for m in members)
        names = names_of(concept)
        name = names[0] if rng.random() >= synonym else rng.choice(names)
        described = f"{rng.choice(ADJECTIVES)} " if rng.random() < adjective else ""
        one, many = described + singular(name), described + plural(name)
        if n == 1 or (n > 1 and rng.random() < 0.08):
            claim["counts"][concept] = 1 if n == 1 and rng.random() < 0.5 else -1
            if n > 1:
                return rng.choice(["some ", "several ", ""]) + many
            return "one " + one if rng.random() < 0.1 else article(one)
        claim["counts"][concept] = n
        if n == 2 and rng.random() < 0.1:
            return "a pair of " + many
        return f"{NUMBERS.get(n, 'many')} {many}"

    def chosen(self, record, whole=0.7, must=()):
        """Categories to mention: seen ones (now and then a hidden one), all of them or a part; always those of `must` it has."""
        rng = self.rng
        order = [c for c in record["total"] if record["seen"].get(c, 0) > 0 or rng.random() < 0.1]
        rng.shuffle(order)
        if len(order) > 1 and rng.random() >= whole:
            order = order[: rng.randint(1, len(order) - 1)]
        for category in must:
            if category in record["total"] and category not in order:
                order.insert(rng.randint(0, len(order)), category)
        return order

    def room(self, record, claim, chance=0.7, adjective=0.15):
        rng = self.rng
        words = "room"
        if record["room"] in ROOMS and rng.random() < chance:
            claim["room"] = record["room"]
            words = ROOMS[record["room"]][0] if rng.random() < 0.7 else rng.choice(ROOMS[record["room"]])
        if rng.random() < adjective:
            words = f"{rng.choice(ROOM_ADJECTIVES)} {words}"
        return words

    def body(self, record, claim, must=()):
        rng = self.rng
        order = self.chosen(record, must=must)
        parts = [self.phrase(c, record, claim, adjective=0.08) for c in order]
        if not parts:
            return article(rng.choice(["empty ", ""]) + self.room(record, claim))
        form = rng.random()
        if form < 0.45:
            return f"{article(self.room(record, claim))} {rng.choice(['with', 'with', 'with', 'containing', 'that has', 'furnished with'])} {listed(parts)}"
        if form < 0.60:
            return f"{listed(parts)} {rng.choice(['in', 'inside'])} {article(self.room(record, claim))}"
        if form < 0.72:
            return listed(parts)
        if form < 0.80:
            verb = "is" if parts[0].startswith(("a ", "an ", "one ")) else "are"
            return f"{article(self.room(record, claim))}. there {verb} {listed(parts)}"
        if form < 0.88:
            return ", ".join([self.room(record, claim), *parts])
        return self.natural(record, claim, order)

    def natural(self, record, claim, order=None, must=()):
        """Prompts as people write them: some sentences with adjectives and places, which claim nothing."""
        rng = self.rng
        order = order or self.chosen(record, 0.9, must)
        room = self.room(record, claim, 0.9, 0.6)
        opening = rng.choice([article(room), f"this is {article(room)}", f"create {article(room)}", f"design {article(room)}",
                              f"the scene shows {article(room)}", f"imagine {article(room)}"])
        sentences, at = [], 0
        first = True
        while at < len(order):
            take = rng.choice([1, 1, 2, 2, 3])
            group = order[at: at + take]
            at += take
            text = listed([self.phrase(c, record, claim, adjective=0.3) for c in group])
            if rng.random() < 0.5:
                text += " " + rng.choice(PLACES)
            if first:
                sentences.append(f"{opening} {rng.choice(['with', 'that has', 'containing', 'featuring'])} {text}")
                first = False
            else:
                verb = "is" if text.startswith(("a ", "an ", "one ")) else "are"
                sentences.append(rng.choice([f"there {verb} {text}", f"it also has {text}", f"{text} stand{'s' if verb == 'is' else ''} there",
                                             f"{text} {verb} placed in the room", f"add {text}"]))
        if not sentences:
            sentences = [opening]
        if rng.random() < 0.2:
            sentences.append(rng.choice(["the room feels calm", "the floor is wooden", "the walls are plain", "light falls in from above",
                                         "everything is in its place", "there is room to walk"]))
        return ". ".join(sentences) + rng.choice([".", ""])

    def caption(self, record, long=False, must=()):
        """(text, claim); `must`: categories to mention where the record has them. A third has view words; half of the captions wear a wrapper of the reference grammar."""
        rng = self.rng
        claim = {"counts": {}, "room": None, "view": None}
        body = self.natural(record, claim, must=must) if long else self.body(record, claim, must)
        draw = rng.random()
        if draw < 0.5:
            named = record["view"] == "top" and rng.random() < 0.5
            wrapper, viewpoint = rng.choice(GRAMMAR) if named else rng.choice(PLAIN)
            text = wrapper.format(body)
            claim["view"] = VIEWPOINTS.get(viewpoint)
        elif draw < 0.65:
            noun = rng.choice(VIEW_NOUNS[record["view"]])
            text = f"{article(noun)} of {body}"
            claim["view"] = record["view"]
        elif draw < 0.72:
            text = f"{body}, {rng.choice(VIEWS[record['view']])}"
            claim["view"] = record["view"]
        elif draw < 0.85:
            text = f"{article(rng.choice(MEDIA))} of {body}"
        else:
            text = body
        return text, claim

    def canonical(self, record, wrapper="a rendering of {}"):
        """The plain form of the evaluation: room, every seen category in the record's order, exact counts, first names."""
        claim = {"counts": {}, "room": record["room"] if record["room"] in ROOMS else None, "view": None}
        parts = []
        for category in record["total"]:
            if record["seen"].get(category, 0) == 0:
                continue
            n = record["total"][category]
            claim["counts"][category] = n
            name = names_of(category)[0]
            parts.append(article(singular(name)) if n == 1 else f"{NUMBERS.get(n, 'many')} {plural(name)}")
        room = ROOMS[record["room"]][0] if record["room"] in ROOMS else "room"
        return wrapper.format(f"{article(room)} with {listed(parts)}" if parts else f"an empty {room}"), claim


def is_true(claim, total, room, view, names):
    """Whether a claim holds of a record: exact counts where it counts, presence where it does not."""
    if claim["room"] and claim["room"] != room:
        return False
    if claim["view"] and claim["view"] != view:
        return False
    for concept, n in claim["counts"].items():
        members = KINDS[concept][1] if concept in KINDS else [concept]
        have = sum(total.get(m, 0) for m in members)
        if have == 0 or (n > 0 and have != n):
            return False
    return True
