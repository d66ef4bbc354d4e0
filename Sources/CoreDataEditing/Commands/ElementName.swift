import CoreDataModelSource

extension ElementKind {
    /// The name of a new element.
    var newName: String {
        switch self {
        case .entity, .composite, .configuration, .fetchRequest:
            rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        default: rawValue
        }
    }
}

extension String {
    /// Returns this name, with the first number behind it that makes it differ from those taken.
    func free(among taken: some Sequence<String>) -> String {
        let taken = Set(taken)
        guard taken.contains(self) else { return self }
        let stem = String(reversed().drop { $0.isASCII && $0.isNumber }.reversed())
        let base = stem.isEmpty ? self : stem
        for number in 1... where !taken.contains("\(base)\(number)") { return "\(base)\(number)" }
        preconditionFailure("there are more numbers than names")
    }

    func require(legalFor kind: ElementKind) throws(Refusal.Reason) {
        let isLegal = kind.isIdentifier ? isElementIdentifier : !isEmpty && isLegalInXML
        if !isLegal { throw .illegalName(self, kind) }
    }
}
