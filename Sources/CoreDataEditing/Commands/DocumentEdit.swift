import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// A command being carried out on one version.
struct DocumentEdit {
    var version: EditedVersion
    private(set) var touched: [ElementID] = []
    private(set) var numbering: ElementNumbering
    /// The version before this one.
    let predecessor: ModelDocument?

    init(_ version: EditedVersion, predecessor: ModelDocument?, _ numbering: ElementNumbering) {
        self.version = version
        self.predecessor = predecessor
        self.numbering = numbering
    }

    var document: ModelDocument { version.document }

    mutating func perform(_ command: DocumentCommand) throws(Refusal.Reason) {
        switch command {
        case .add(let draft, let owner, let index): try add(draft, to: owner, at: index)
        case .remove(let addresses): try remove(addresses)
        case .rename(let address, let name): try rename(address, to: name)
        case .duplicate(let addresses): try duplicate(addresses)
        case .move(let address, let index): try move(address, to: index)
        case .set(let addresses, let facets):
            for address in addresses { try set(facets, of: address) }
        case .connect(let one, let other): try connect(one, other)
        case .setInverse(let address, let inverse): try setInverse(of: address, to: inverse)
        case .setMembers(let address, let facet, let added, let removed):
            try setMembers(of: address, facet, adding: added, removing: removed)
        case .place(let positions): try place(positions)
        case .paste(let drafts, let owner): try paste(drafts, into: owner)
        case .replaceText(let text): try replaceText(text)
        case .applyFix(let name, let address): try applyFix(name, of: address)
        }
    }

    /// Refuses what no file can hold, and inheritance that a command has closed to a cycle.
    func requireBounds(since before: ModelDocument) throws(Refusal.Reason) {
        guard document.entities != before.entities || document.composites != before.composites else { return }
        do {
            try ModelBounds.require(document)
        } catch {
            throw .excessive("the model would have " + Self.detail(error))
        }
        let cycle = Set(document.ownAncestors).subtracting(before.ownAncestors)
        if let name = cycle.min() { throw .inheritanceCycle(name) }
    }

    private static func detail(_ error: any Error) -> String {
        if case .excessive(let detail)? = (error as? ModelFileError)?.reason { detail } else { "\(error)" }
    }

    // MARK: Steps of commands

    mutating func touch(_ place: ElementPlace) {
        let id = version.id(at: place)
        if !touched.contains(id) { touched.append(id) }
    }

    mutating func change(
        at place: ElementPlace, _ change: (inout ModelElement) throws(Refusal.Reason) -> Void
    ) throws(Refusal.Reason) {
        var element = document[place]
        try change(&element)
        version.document[place] = element
        touch(place)
    }

    mutating func insert(_ element: ModelElement, at place: ElementPlace) {
        version.document.insert(element, at: place)
        version.root.insert(ElementNode(element, &numbering), at: place)
        touch(place)
    }

    /// Returns the IDs of elements, which stay while others come and go.
    func ids(of addresses: [ElementAddress]) throws(Refusal.Reason) -> [ElementID] {
        var ids: [ElementID] = []
        for address in addresses {
            let place = try version.place(of: address)
            guard place != .model else { throw .wrongKind(address, expected: "element of the model") }
            if !ids.contains(version.id(at: place)) { ids.append(version.id(at: place)) }
        }
        return ids
    }

    func place(
        of address: ElementAddress, _ kind: ElementKind
    ) throws(Refusal.Reason) -> ElementPlace {
        let place = try version.place(of: address)
        guard place.kind == kind else { throw .wrongKind(address, expected: kind.title) }
        return place
    }

    /// Returns the names that a new element of a kind must not have.
    func takenNames(_ kind: ElementKind, in owner: ElementPlace) -> [String] {
        kind.namesakes.flatMap { document.names(of: $0, in: owner) }
    }

    // MARK: Any element

    private mutating func add(
        _ draft: ElementDraft, to address: ElementAddress, at index: Int?
    ) throws(Refusal.Reason) {
        let owner = try version.place(of: address)
        try add(draft, named: draft.name, to: owner, at: index, document.defaults)
    }

    /// Adds an element.
    ///
    /// - Parameter defaults: Returns what is set of a new element, before what the draft sets.
    mutating func add(
        _ draft: ElementDraft, named name: String?, to owner: ElementPlace, at index: Int? = nil,
        _ defaults: (ElementKind, String) -> [JSONValue.Member]
    ) throws(Refusal.Reason) {
        guard owner.kind.members.contains(draft.kind) else { throw .misplaced(draft.kind, in: owner.kind) }
        let taken = takenNames(draft.kind, in: owner)
        let name = name ?? draft.kind.newName.free(among: taken)
        try name.require(legalFor: draft.kind)
        if taken.contains(name) { throw .nameTaken(name) }
        let element = try draft.element(named: name, defaults)
        let siblings = document.names(of: draft.kind, in: owner)
        let index = index ?? siblings.position(for: name)
        guard (0...siblings.count).contains(index), let place = owner.member(draft.kind, index) else {
            throw .badPosition(index)
        }
        insert(element, at: place)
    }

    private mutating func paste(
        _ drafts: [ElementDraft], into address: ElementAddress
    ) throws(Refusal.Reason) {
        for draft in drafts {
            let owner = try version.place(of: address)
            let taken = takenNames(draft.kind, in: owner)
            try add(draft, named: (draft.name ?? draft.kind.newName).free(among: taken), to: owner) { _, _ in
                []
            }
        }
    }

    private mutating func remove(_ addresses: [ElementAddress]) throws(Refusal.Reason) {
        for id in try ids(of: addresses) {
            // An element may be gone with the one that contained it.
            guard let place = version.root.place(of: id) else { continue }
            let name = document[place].name
            version.document.remove(at: place)
            version.root.remove(at: place)
            touched.append(id)
            if place.kind == .entity, !document.entities.contains(where: { $0.name == name }) {
                version.document.layout.removeAll { $0.attributes["name"] == name }
            }
        }
    }

    private mutating func duplicate(_ addresses: [ElementAddress]) throws(Refusal.Reason) {
        for id in try ids(of: addresses) {
            guard let place = version.root.place(of: id) else { continue }
            let original = document[place]
            let name = original.name.free(among: takenNames(place.kind, in: place.owner))
            guard let copy = place.owner.member(place.kind, place.index + 1) else { continue }
            insert(original.copy(named: name), at: copy)
        }
    }

    private mutating func move(_ address: ElementAddress, to index: Int) throws(Refusal.Reason) {
        let place = try version.place(of: address)
        let count = document.names(of: place.kind, in: place.owner).count
        guard (0..<count).contains(index), let target = place.owner.member(place.kind, index) else {
            throw .badPosition(index)
        }
        let element = document[place]
        let node = version.root.remove(at: place)
        version.document.remove(at: place)
        version.document.insert(element, at: target)
        version.root.insert(node, at: target)
        touch(target)
    }

    private mutating func set(
        _ facets: [JSONValue.Member], of address: ElementAddress
    ) throws(Refusal.Reason) {
        try change(at: version.place(of: address)) { (element) throws(Refusal.Reason) in
            for facet in facets { try element.set(facet.key, to: facet.value) }
        }
    }

    private mutating func replaceText(_ text: String) throws(Refusal.Reason) {
        let former = (element: ModelElement.model(document), node: version.root)
        do {
            version.document = try XMLModelParser(file: "").parse(Data(text.utf8)).document
        } catch {
            let reason = (error as? ModelFileError)?.description ?? "\(error)"
            throw .unreadableText(reason)
        }
        version.root = ElementNode(.model(document), replacing: former, &numbering)
        touch(.model)
    }
}

extension DocumentEdit {
    /// Renames an element, and everything that means it.
    private mutating func rename(_ address: ElementAddress, to name: String) throws(Refusal.Reason) {
        let place = try version.place(of: address)
        guard place != .model else { throw .wrongKind(address, expected: "element of the model") }
        let old = document[place]
        guard name != old.name else { return }
        try name.require(legalFor: place.kind)
        if takenNames(place.kind, in: place.owner).contains(name) { throw .nameTaken(name) }
        let identifier = renamingIdentifier(of: old, at: place, named: name)
        version.document.rename(place, to: name)
        if identifier != old.renamingIdentifier {
            try change(at: place) { (element) throws(Refusal.Reason) in
                try element.set("renamingIdentifier", to: JSONValue(text: identifier))
            }
        }
        touch(place)
    }

    /// Returns the renaming identifier of an element under its new name: its name in the version before, if
    /// it is there and has no other successor.
    private func renamingIdentifier(
        of element: ModelElement, at place: ElementPlace, named name: String
    ) -> String? {
        if let identifier = element.renamingIdentifier { return identifier == name ? nil : identifier }
        guard [.entity, .attribute, .relationship].contains(place.kind), let predecessor,
            let formerOwner = formerOwner(of: place, in: predecessor),
            predecessor.place(of: place.kind, named: element.name, in: formerOwner) != nil
        else { return nil }
        let siblings = document[place.owner].members(place.kind)
        return siblings.contains { $0.renamingIdentifier == element.name } ? nil : element.name
    }

    /// Returns the owner of an element as it was in the version before.
    private func formerOwner(of place: ElementPlace, in predecessor: ModelDocument) -> ElementPlace? {
        switch place.owner {
        case .element(.entity, let index):
            let names = document.entities.map(\.versionedName)
                .predecessors(among: predecessor.entities.map(\.versionedName))
            return names[document.entities[index].name].flatMap {
                predecessor.place(of: .entity, named: $0, in: .model)
            }
        case .element(let kind, _):
            return predecessor.place(of: kind, named: document[place.owner].name, in: .model)
        case .model, .member: return .model
        }
    }
}

extension [String] {
    /// Returns where a new name goes: where it belongs if the names are in order, or else behind them.
    fileprivate func position(for name: String) -> Int {
        let isSorted = zip(self, dropFirst()).allSatisfy { $0 <= $1 }
        return isSorted ? firstIndex { $0 > name } ?? count : count
    }
}

extension ModelElement {
    /// Returns a copy with another name. It has no inverse, since that of the original is taken, and it is
    /// not the successor of any element of an older version.
    fileprivate func copy(named name: String) -> ModelElement {
        var copy = named(name)
        switch copy {
        case .entity(var entity):
            if let former = entity.className, former == self.name || former == ".\(self.name)" {
                entity.className = former.hasPrefix(".") ? ".\(name)" : name
            }
            entity.renamingIdentifier = nil
            for index in entity.relationships.indices { entity.relationships[index].setInverse(nil) }
            copy = .entity(entity)
        case .attribute(var attribute):
            attribute.renamingIdentifier = nil
            copy = .attribute(attribute)
        case .relationship(var relationship):
            relationship.renamingIdentifier = nil
            relationship.setInverse(nil)
            copy = .relationship(relationship)
        case .fetchedProperty(var property):
            property.renamingIdentifier = nil
            copy = .fetchedProperty(property)
        case .model, .index, .configuration, .composite, .fetchRequest: break
        }
        return copy
    }
}
