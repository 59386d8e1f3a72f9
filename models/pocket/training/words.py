"""Words of the captions: category names and synonyms, kinds, rooms, adjectives, places. Our own lists."""

# Kit category -> names in captions, the most usual first; (singular, plural) where the plural is not regular. Categories
# without an entry use the kit's own label and synonyms.
NAMES = {
    "double-bed": ["double bed", "queen bed", "king bed", "large bed"],
    "single-bed": ["single bed", "twin bed", "kids bed", "narrow bed"],
    "bunk-bed": ["bunk bed", "loft bed"],
    "crib": ["crib", "baby crib", "baby bed"],
    "nightstand": ["nightstand", "bedside table", "night table", "bedside cabinet"],
    "wardrobe": ["wardrobe", "closet", "armoire"],
    "dresser": ["dresser", "chest of drawers", "drawer chest"],
    "dressing-table": ["dressing table", "vanity", "vanity table"],
    "cabinet": ["cabinet", "sideboard", "cupboard", "storage cabinet", "wine cabinet", "buffet"],
    "desk": ["desk", "writing desk", "work desk", "computer desk"],
    "chair": ["chair", "dining chair", "side chair", "wooden chair"],
    "office-chair": ["office chair", "swivel chair", "desk chair"],
    "armchair": ["armchair", "lounge chair", "easy chair"],
    "stool": ["stool", "bar stool"],
    "ottoman": ["ottoman", "pouf", "footstool"],
    "bench": ["bench", "bed end bench"],
    "sofa": ["sofa", "couch", "loveseat", "multi seat sofa"],
    "corner-sofa": ["corner sofa", "l shaped sofa", "sectional sofa"],
    "table": ["table", "dining table", "dinner table"],
    "coffee-table": ["coffee table", "low table", "tea table"],
    "side-table": ["side table", "end table", "corner side table", "round end table"],
    "console-table": ["console table", "hall table"],
    "tv-stand": ["tv stand", "media console", "tv cabinet", "tv unit"],
    "lamp": ["lamp", "table lamp", "desk lamp", "bedside lamp"],
    "floor-lamp": ["floor lamp", "standing lamp"],
    "pendant-lamp": ["pendant lamp", "hanging lamp", "chandelier", "pendant light"],
    "ceiling-lamp": ["ceiling lamp", "ceiling light"],
    "shelf": [("shelf", "shelves"), "open rack", ("open shelf", "open shelves")],
    "wall-shelf": [("wall shelf", "wall shelves"), ("floating shelf", "floating shelves")],
    "bookshelf": [("bookshelf", "bookshelves"), "bookcase"],
    "rug": ["rug", "carpet", "area rug"],
    "plant": ["plant", "potted plant", "houseplant"],
}
CURATED = {category: tuple(names) for category, names in NAMES.items()}


def use_catalogue(names):
    """Adds the kit's names: synonyms behind ours, whole categories where we have none. names: {category: [label, ...]}."""
    for category, known in names.items():
        own = list(CURATED.get(category, ()))
        said = {singular(name) for name in own}
        NAMES[category] = own + [name for name in known if name not in said][: 3 if own else 6]


# A kind is counted over its members.
KINDS = {
    "bed": (["bed"], ["double-bed", "single-bed", "bunk-bed", "crib"]),
    "any chair": (["chair", "seat"], ["chair", "office-chair", "armchair"]),
    "any sofa": (["sofa", "couch"], ["sofa", "corner-sofa"]),
    "any table": (["table"], ["table", "coffee-table", "side-table", "console-table"]),
    "any lamp": (["lamp", "light"], ["lamp", "floor-lamp", "pendant-lamp", "ceiling-lamp"]),
    "any shelf": ([("shelf", "shelves")], ["shelf", "bookshelf", "wall-shelf"]),
}

ROOMS = {
    "bedroom": ["bedroom", "sleeping room", "guest room"],
    "living_room": ["living room", "lounge", "sitting room"],
    "dining_room": ["dining room", "dining area"],
    "office": ["office", "study", "home office", "workroom"],
    "kids_room": ["kids room", "children's room", "nursery"],
    "kitchen": ["kitchen"],
    "bathroom": ["bathroom"],
    "studio": ["studio apartment", "studio"],
    "library": ["library", "reading room"],
    "waiting_room": ["waiting room", "reception", "lobby"],
    "hallway": ["hallway", "entrance hall", "corridor"],
}

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}

ADJECTIVES = """modern cozy small large simple minimalist rustic vintage elegant comfortable bright dark light white black grey
brown beige blue green red yellow wooden metal oak walnut leather fabric velvet upholstered glass marble tall low wide narrow round
square rectangular sturdy sleek warm neutral soft plush patterned woven industrial scandinavian traditional contemporary classic
tidy spacious compact airy open old new antique painted polished""".split()

ROOM_ADJECTIVES = """modern cozy small large simple minimalist rustic bright tidy spacious compact airy furnished comfortable
sparse cluttered quiet elegant traditional contemporary""".split()

PLACES = ["against the back wall", "against the wall", "in the corner", "near the window", "by the door", "in the middle of the room",
          "in the centre", "along the left wall", "along the right wall", "on the left", "on the right", "facing the wall",
          "next to it", "beside it", "in front of it", "opposite", "at the far end", "to the side", "under the window",
          "facing the room", "close to the entrance", "on both sides", "around it", "between them", "behind it", "on top of it"]

# Words the tokenizer should know besides: things rooms hold, and the usual words of room descriptions.
FURTHER = """television tv fridge refrigerator stove oven cooker sink washbasin kitchen counter island bathtub bath shower toilet
washing machine washer dishwasher microwave piano fireplace curtain door window laptop monitor screen computer keyboard printer vase
clock pillow cushion blanket bin trash can basket laundry coat rack stand shoe box storage toy book radiator heater fan partition
divider treadmill bicycle pool billiard whiteboard board filing mirror painting picture frame art poster kettle chest trunk hanger
pet dog bed wine rack cart trolley bookcase sideboard buffet credenza loveseat recliner chandelier sconce candle statue sculpture
the this that these with without and or of in on at by to from for near beside between behind under above below around along
against facing opposite next front back left right centre center middle corner wall walls floor ceiling side end top bottom
building features feature single design designed style charm elegant elegantly connected outside through entrance looking placed
arranged centered positioned meters metres away adjacent made featuring space area private public living dining sleeping working
reading kids children baby guest master home hotel cafe restaurant bar shop gym music game garden terrace balcony hall lobby waiting
conference meeting room rooms apartment house interior furniture furnished furnishing layout scene virtual rendered view camera
photo image picture good bad quality realistic cartoon drawing sketch empty full few many several each every all both pair set""".split()

VIEWS = {
    "top": ["seen from above", "from above", "from the top", "from overhead", "viewed from directly above"],
    "angled": ["seen from an angle above", "from a high corner", "in an isometric view", "seen at an angle", "from a raised viewpoint"],
    "side": ["seen from the side", "at eye level", "from the front", "in a side view"],
}
VIEW_NOUNS = {
    "top": ["top-down view", "bird-eye view", "bird's-eye view", "overhead view", "top view", "floor plan view"],
    "angled": ["angled view", "isometric view", "three-quarter view", "perspective view", "dollhouse view"],
    "side": ["side view", "front view", "eye-level view"],
}
MEDIA = ["photo", "picture", "image", "rendering", "render", "3d rendering", "3d model", "screenshot", "digital rendering", "photograph"]


def plural(name):
    if isinstance(name, tuple):
        return name[1]
    if name.endswith(("s", "x", "ch", "sh")):
        return name + "es"
    if name.endswith("y") and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    if name == "chest of drawers":
        return "chests of drawers"
    return name + "s"


def singular(name):
    return name[0] if isinstance(name, tuple) else name


def article(words):
    return ("an " if words[0] in "aeiou" else "a ") + words
