import CoreDataModelFormat

/// Commands being carried out: the state they have led to so far, which is thrown away if one of them is
/// refused.
struct CommandRun {
    private(set) var state: ModelState
    private(set) var touched: [ElementID] = []
    private(set) var numbering: ElementNumbering
    private let isVersioned: Bool

    init(_ state: ModelState, isVersioned: Bool, _ numbering: ElementNumbering) {
        self.state = state
        self.isVersioned = isVersioned
        self.numbering = numbering
    }

    mutating func perform(_ command: ModelCommand) throws(Refusal.Reason) {
        switch command {
        case .edit(let command, let version):
            let index = try state.index(of: version)
            let predecessor = state.predecessor(of: state.versions[index])?.document
            var edit = DocumentEdit(state.versions[index], predecessor: predecessor, numbering)
            try edit.perform(command)
            try edit.requireBounds(since: state.versions[index].document)
            state.versions[index] = edit.version
            numbering = edit.numbering
            touched += edit.touched.filter { !touched.contains($0) }
        case .addVersion(let name, let original): try addVersion(name, copying: original)
        case .renameVersion(let name, let newName): try renameVersion(name, to: newName)
        case .removeVersion(let name): try removeVersion(name)
        case .setCurrentVersion(let name):
            let index = try state.index(of: name)
            state.currentVersionName = name
            state.assumesCurrentVersion = false
            touched.append(state.versions[index].root.id)
        }
    }

    // MARK: Versions

    private mutating func addVersion(_ name: String, copying original: String?) throws(Refusal.Reason) {
        let index = try state.index(of: original)
        try requireFree(name)
        let document = state.versions[index].document
        let root = ElementNode(.model(document), &numbering)
        var version = EditedVersion(
            name: name, document: document, root: root, predecessorName: state.versions[index].name)
        if state.versions[index].positions != nil {
            version.positions = version.positions(named: state.versions[index].namedPositions)
        }
        state.versions.append(version)
        state.assumesCurrentVersion = false
        state.sort()
        touched.append(root.id)
    }

    private mutating func renameVersion(_ name: String, to newName: String) throws(Refusal.Reason) {
        let index = try state.index(of: name)
        guard name != newName else { return }
        try requireFree(newName)
        state.versions[index].name = newName
        touched.append(state.versions[index].root.id)
        if state.currentVersionName == name { state.currentVersionName = newName }
        for index in state.versions.indices where state.versions[index].predecessorName == name {
            state.versions[index].predecessorName = newName
        }
        state.assumesCurrentVersion = false
        state.sort()
    }

    private mutating func removeVersion(_ name: String) throws(Refusal.Reason) {
        let index = try state.index(of: name)
        guard state.versions.count > 1 else { throw .lastVersion }
        guard state.currentVersionName != name else { throw .currentVersion(name) }
        touched.append(state.versions.remove(at: index).root.id)
        state.assumesCurrentVersion = false
    }

    private func requireFree(_ name: String) throws(Refusal.Reason) {
        guard isVersioned else { throw .singleVersion }
        guard name.isNameOfVersion else { throw .illegalVersionName(name) }
        if state.versions.contains(where: { $0.name == name }) { throw .nameTaken(name) }
    }
}

extension String {
    /// Whether a version, or a package, can have the name: it is that of a folder.
    package var isNameOfVersion: Bool {
        !isEmpty && !hasPrefix(".") && !contains { "/\0".contains($0) } && isLegalInXML && utf8.count <= 200
    }
}
