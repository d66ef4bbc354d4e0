import CoreDataJSON

/// Commands that were meant for a former state of a model, fitted to the present one, so that they overwrite
/// nothing that their author did not see.
///
/// What both sides changed in a list is merged member by member. A name or a setting that was given another value
/// meanwhile is not set.
struct OvertakenCommands {
    /// The state that the author of the commands saw.
    let seen: ModelState
    let present: ModelState

    /// Returns the commands to carry out in place of one.
    func fitted(_ command: ModelCommand) throws(Refusal.Reason) -> [ModelCommand] {
        guard case .edit(let edit, let version) = command else { return [command] }
        switch edit {
        case .set(let addresses, let facets):
            var commands: [ModelCommand] = []
            for address in addresses {
                var fitted: [JSONValue.Member] = []
                for facet in facets {
                    fitted.append(.init(facet.key, try value(facet, of: address, version)))
                }
                commands.append(.edit(.set([address], fitted), version: version))
            }
            return commands
        case .rename(let address, let name):
            if let (before, now) = elements(at: address, version), before.name != now.name, now.name != name {
                throw .overtaken(facet: "name", path(of: address, version), .string(now.name))
            }
        case .setInverse(let address, let inverse):
            let name = inverse.flatMap { elements(at: $0, version)?.now.name }
            _ = try value(.init("inverse", JSONValue(text: name)), of: address, version)
        default: break
        }
        return [command]
    }

    /// Returns the value that a facet gets.
    private func value(
        _ facet: JSONValue.Member, of address: ElementAddress, _ version: String?
    ) throws(Refusal.Reason) -> JSONValue {
        guard let (before, now) = elements(at: address, version), let base = before.value(of: facet.key),
            let theirs = now.value(of: facet.key), theirs != base, theirs != facet.value
        else { return facet.value }
        let type = now.kind.facets.first { $0.name == facet.key }?.type
        switch (type, base, facet.value, theirs) {
        case (.names?, .array(let base), .array(let ours), .array(let theirs)),
            (.lists?, .array(let base), .array(let ours), .array(let theirs)),
            (.indexElements?, .array(let base), .array(let ours), .array(let theirs)):
            if let merged = Self.merged(base, ours, theirs) { return .array(merged) }
        case (.entries?, .object(let base), .object(let ours), .object(let theirs)):
            if let merged = Self.merged(base, ours, theirs) { return .object(merged) }
        default: break
        }
        throw .overtaken(facet: facet.key, path(of: address, version), theirs)
    }

    /// Returns a list with the changes of both sides; nil if both replaced one member, or members repeat.
    private static func merged(
        _ base: [JSONValue], _ ours: [JSONValue], _ theirs: [JSONValue]
    ) -> [JSONValue]? {
        let sides = [base, ours, theirs].map(Set.init)
        let areUnique = zip(sides, [base, ours, theirs]).allSatisfy { $0.count == $1.count }
        let bothRemoved = sides[0].subtracting(sides[1]).subtracting(sides[2])
        let bothAdded = !sides[1].isSubset(of: sides[0]) && !sides[2].isSubset(of: sides[0])
        guard areUnique, bothRemoved.isEmpty || !bothAdded else { return nil }
        return ListMerge(base: base, ours: ours, theirs: theirs).merged()
    }

    /// Returns entries with the changes of both sides; nil if they gave one key different values.
    private static func merged(
        _ base: [JSONValue.Member], _ ours: [JSONValue.Member], _ theirs: [JSONValue.Member]
    ) -> [JSONValue.Member]? {
        let values = { (entries: [JSONValue.Member]) in
            Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
        }
        let (base, own, other) = (values(base), values(ours), values(theirs))
        var merged: [JSONValue.Member] = []
        for key in theirs.map(\.key) + ours.map(\.key).filter({ other[$0] == nil }) {
            let isTheirs = own[key] == base[key]
            guard isTheirs || other[key] == base[key] || own[key] == other[key] else { return nil }
            if let value = isTheirs ? other[key] : own[key] { merged.append(.init(key, value)) }
        }
        return merged
    }

    /// Returns an element as it was and as it is; nil if it is not in both states.
    private func elements(
        at address: ElementAddress, _ version: String?
    ) -> (before: ModelElement, now: ModelElement)? {
        let elements = [seen, present].compactMap { state -> ModelElement? in
            let version = state.version(named: version ?? state.currentVersionName)
            return version.flatMap { version in
                (try? version.place(of: address)).map { version.document[$0] }
            }
        }
        guard elements.count == 2, elements[0].kind == elements[1].kind else { return nil }
        return (elements[0], elements[1])
    }

    private func path(of address: ElementAddress, _ version: String?) -> String {
        guard case .id(let id) = address else { return address.text }
        let version = present.version(named: version ?? present.currentVersionName)
        return version?.path(of: id).map { ElementAddress.path($0).text } ?? address.text
    }
}
