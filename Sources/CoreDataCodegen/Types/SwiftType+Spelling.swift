extension SwiftType {
    /// Returns the type with a spelling that a file of the module can use.
    ///
    /// The name is never qualified with the module's own name: a class may have the same name and hide the
    /// module.
    package func spelling(in index: ModuleIndex) -> String {
        switch self {
        case .nominal(.swift("Optional", .enumeration), let arguments):
            return arguments.last?.first.map { $0.wrappedSpelling(in: index) + "?" } ?? "Optional"
        case .nominal(.swift("Array", .structure), let arguments):
            return "[" + (arguments.last?.first?.spelling(in: index) ?? "") + "]"
        case .nominal(.swift("Dictionary", .structure), let arguments):
            return "[" + (arguments.last ?? []).map { $0.spelling(in: index) }.joined(separator: ": ") + "]"
        case .nominal(let nominal, let arguments):
            return nominal.spelling(in: index, arguments: arguments)
        case .existential(let protocols, let superclass, let isClassBound):
            let names =
                (superclass.map { [$0.spelling(in: index)] } ?? []) + protocols.map { $0.spelling(in: index) }
            if names.isEmpty { return isClassBound ? "AnyObject" : "Any" }
            return "any " + names.joined(separator: " & ")
        case .parameter(let name, _, _):
            return name
        }
    }

    private func wrappedSpelling(in index: ModuleIndex) -> String {
        let text = spelling(in: index)
        return text.hasPrefix("any ") ? "(\(text))" : text
    }
}

extension NominalType {
    /// The public names of types that are declared under another name.
    private static let publicNames = ["_NSRange": "NSRange"]

    package func spelling(in index: ModuleIndex, arguments: [[SwiftType]] = []) -> String {
        let names = steps.enumerated().map { position, step in
            let name = NameEscaping.escaped(Self.publicNames[step.name] ?? step.name)
            let list = position < arguments.count ? arguments[position] : []
            return list.isEmpty
                ? name : name + "<" + list.map { $0.spelling(in: index) }.joined(separator: ", ") + ">"
        }
        let isForeign = module != index.name && steps.allSatisfy { $0.extendingModule == nil }
        let isHidden = isForeign && index.declares(steps[0].name)
        return ((isHidden ? [KnownTypes.sourceModule(module)] : []) + names).joined(separator: ".")
    }
}
