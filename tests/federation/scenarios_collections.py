# SPDX-License-Identifier: AGPL-3.0-or-later
"""Collections of accounts (FEP-7aa9) between two of ours: asked for, agreed to, shown, changed, left; and what a server
claims that nobody agreed to."""
from between import friends
from fake import AS, Fake
from servers import ACTIVITY, Dunlin, ask, eventually, expect

NEEDS = "nobody"


class Stage:
    def __init__(self, folder, _):
        self.here, self.there = Dunlin(folder / "here"), Dunlin(folder / "there")
        self.fake = Fake()
        self.servers = [self.here, self.there]


def featurable(person, **more):
    person.patch("/api/v1/accounts/update_credentials", discoverable=True, **more)


def make(owner, *members, **more):
    form = {"name": "Bakers", "sensitive": False, "discoverable": True, "account_ids": [m["id"] for m in members]} | more
    return owner.post("/api/v1/collections", **form)["collection"]


def shown(person, id):
    answer = person.ask("GET", f"/api/v1/collections/{id}")
    return answer.json["collection"] if answer.status == 200 else None


def states(person, id):
    return [item["state"] for item in shown(person, id)["items"]]


def listed(person, account):
    return person.get(f"/api/v1/accounts/{account['id']}/collections")["collections"]


def members(person, collection):
    found = person.get(f"/api/v1/collections/{collection['id']}")
    people = {a["id"]: a["uri"] for a in found["accounts"]}
    return [people[item["account_id"]] for item in found["collection"]["items"]]


def s45_a_collection_is_agreed_to_shown_changed_and_left(w):
    ann, pia, pia_here, ann_there = friends(w)
    featurable(pia)
    zoe = w.here.person("zoe")
    featurable(zoe)
    eventually("the policy is known", lambda: ann.account(pia.handle)["feature_approval"]["automatic"] == ["public"])
    # Made with somebody of each server: who lives here is in at once, who lives there once their server says so.
    made = make(ann, pia_here, ann.account(zoe.handle), description="They bake", tag_name="Bread")
    eventually("pia has agreed", lambda: states(ann, made["id"]) == ["accepted", "accepted"])
    told = pia.notified("added_to_collection", ann.uri)["collection"]
    expect((told["uri"], told["name"], told["local"]), (made["uri"], "Bakers", False))
    # There it is shown as here, with its tag, and with zoe, whose agreement that server has seen.
    theirs = eventually("shown there", lambda: next((c for c in listed(pia, ann_there) if c["uri"] == made["uri"]), None))
    eventually("with both", lambda: sorted(members(pia, theirs)) == sorted([pia.uri, zoe.uri]))
    expect((theirs["description"], theirs["tag"]["name"]), ("They bake", "bread"))
    expect([c["uri"] for c in pia.get(f"/api/v1/accounts/{pia.id}/in_collections")["collections"]], [made["uri"]])
    # The documents say the same.
    document = ask("GET", made["uri"], headers=ACTIVITY).json
    expect((document["type"], document["totalItems"]), ("FeaturedCollection", 2))
    for item in document["orderedItems"]:
        stamp = ask("GET", item["featureAuthorization"], headers=ACTIVITY).json
        expect((stamp["type"], stamp["interactingObject"], stamp["interactionTarget"]),
               ("FeatureAuthorization", made["uri"], item["featuredObject"]))
    # A change is told.
    ann.patch(f"/api/v1/collections/{made['id']}", name="Good bakers")
    eventually("changed there", lambda: shown(pia, theirs["id"])["name"] == "Good bakers")
    pia.notified("collection_update", ann.uri)
    # Whoever leaves is gone on both sides, and stays out.
    item = next(i for i in shown(pia, theirs["id"])["items"] if i["account_id"] == pia.id)
    stamp = next(i["featureAuthorization"] for i in document["orderedItems"] if i["featuredObject"] == pia.uri)
    expect(pia.ask("POST", f"/api/v1/collections/{theirs['id']}/items/{item['id']}/revoke").status, 200)
    eventually("gone here", lambda: members(ann, made) == [zoe.uri])
    expect(ask("GET", stamp, headers=ACTIVITY).status, 404)
    expect(members(pia, theirs), [zoe.uri])
    expect(ann.ask("POST", f"/api/v1/collections/{made['id']}/items", {"account_id": pia_here["id"]}).status, 422)
    # An item that goes, goes there; so does the collection.
    item = shown(ann, made["id"])["items"][0]
    expect(ann.ask("DELETE", f"/api/v1/collections/{made['id']}/items/{item['id']}").status, 200)
    eventually("removed there", lambda: members(pia, theirs) == [])
    expect(ann.ask("DELETE", f"/api/v1/collections/{made['id']}").status, 200)
    eventually("ended there", lambda: shown(pia, theirs["id"]) is None)


def s45_whoever_does_not_want_it_is_not_featured(w):
    ann, pia, pia_here, ann_there = friends(w)
    made = make(ann)
    add = lambda account: ann.ask("POST", f"/api/v1/collections/{made['id']}/items", {"account_id": account["id"]})
    expect(add(pia_here).status, 403, "who is not discoverable")
    featurable(pia)
    eventually("the policy is known", lambda: ann.account(pia.handle)["feature_approval"]["automatic"] == ["public"])
    # Her mind changes before ours knows of it: her server refuses.
    pia.patch("/api/v1/accounts/update_credentials", discoverable=False)
    expect(add(pia_here).status, 200)
    eventually("refused", lambda: states(ann, made["id"]) == [])
    w.there.idle()
    expect(pia.notifications("added_to_collection"), [])
    # A block ends what was agreed.
    other = make(ann, name="Others")
    featurable(pia)
    ann.post(f"/api/v1/collections/{other['id']}/items", account_id=pia_here["id"])
    eventually("agreed", lambda: states(ann, other["id"]) == ["accepted"])
    pia.post(f"/api/v1/accounts/{ann_there['id']}/block")
    eventually("ended", lambda: states(ann, other["id"]) == [])


def s45_what_nobody_agreed_to_is_not_shown(w):
    ann, fake = w.here.person("ann"), w.fake
    featurable(ann)
    list_uri = fake.origin + "/users/owner/featured_collections"
    owner, member, other = fake.person("owner", featuredCollections=list_uri), fake.person("member"), fake.person("other")
    id = owner + "/collections/1"
    def item(number, account, stamp):
        return {"id": f"{id}/items/{number}", "type": "FeaturedItem", "featuredObject": account, "featureAuthorization": stamp}
    def stamp(path, collection, account):
        return fake.serve(path, {"@context": AS, "id": fake.origin + path, "type": "FeatureAuthorization",
                                 "interactingObject": collection, "interactionTarget": account})
    good = stamp("/stamps/good", id, member)
    items = [item(1, member, good), item(2, ann.uri, f"{ann.uri}/feature_authorizations/1"),
             item(3, other, stamp("/stamps/other", id + "-2", other)), item(4, other, fake.origin + "/stamps/none"),
             item(5, ann.uri, stamp("/stamps/ann", id, ann.uri))]
    collection = {"id": id, "type": "FeaturedCollection", "name": "Claims", "attributedTo": owner, "orderedItems": items}
    fake.serve(list_uri[len(fake.origin):], {"@context": AS, "id": list_uri, "type": "Collection", "items": [collection]})
    account = ann.account(owner)
    found = listed(ann, account)
    expect([c["uri"] for c in found], [id])
    eventually("the one who agreed", lambda: members(ann, found[0]) == [member])
    w.here.idle()
    expect(members(ann, found[0]), [member])
    expect(ann.get(f"/api/v1/accounts/{ann.id}/in_collections")["collections"], [])
    expect(ann.notifications("added_to_collection"), [])
    expect(w.here.healthy(), True)
