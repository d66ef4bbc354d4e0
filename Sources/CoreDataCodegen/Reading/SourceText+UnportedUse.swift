package import CoreDataModelFormat

extension SourceText {
    /// Returns what to say of a source that compiles or works on Apple's systems alone, at the first place that makes it
    /// so: an attribute of the Objective-C runtime, a key path or selector that the compiler would check, a cast of a
    /// request, a module or header that is not there. Nil for a source without. Branches for other platforms are left out.
    ///
    /// - Parameter dependencies: the modules that the source's own depends on, which may have names of Apple's.
    package func unportedUse(besides dependencies: [String]) -> Diagnostic? {
        guard var cursor = try? TokenCursor(self) else { return nil }
        let modules = ForeignNames.modulesReexportingFoundation(besides: dependencies)
        var conditions = ConditionStack()
        while !cursor.isAtEnd {
            if cursor.is("#if") || cursor.endsClause {
                conditions.take(&cursor)
            } else if conditions.areMet, cursor.isUnported || cursor.isImport(of: modules) {
                let place = cursor.place(of: cursor.peek())
                return Diagnostic(
                    .warning,
                    "this does not compile or fails on Linux as it is: the plugin CoreDataOverlayPlugin in the place of "
                        + "CoreDataPlugin ports it when the target is built, `swift package port-core-data` in the source",
                    file: place.file, line: place.line, column: place.column)
            } else {
                cursor.advance()
            }
        }
        return nil
    }
}

/// The `#if` around a place among tokens, and which of their branches are compiled.
private struct ConditionStack {
    private struct Level {
        /// Whether the branch may be compiled.
        var isMet: Bool
        /// Whether an earlier branch is.
        var isDecided: Bool
    }

    private var levels: [Level] = []

    var areMet: Bool { levels.allSatisfy(\.isMet) }

    /// Takes a directive with its condition.
    mutating func take(_ cursor: inout TokenCursor) {
        if cursor.take("#endif") {
            _ = levels.popLast()
            return
        }
        let isDecided = cursor.is("#if") ? false : levels.popLast()?.isDecided ?? false
        let value = cursor.readCondition().map(ConditionEvaluator().value(of:)) ?? true
        levels.append(Level(isMet: !isDecided && value != false, isDecided: isDecided || value == true))
    }
}

extension TokenCursor {
    fileprivate var isUnported: Bool {
        if self.is("@") { return name(at: 1).map(ForeignNames.attributes.contains) ?? false }
        if isAny(of: ["#keyPath", "#selector"]) { return true }
        guard let name = name() else { return false }
        switch name {
        case "as": return isCastOfRequest
        case "Foundation":
            return self.is(".", at: 1) && self.name(at: 2).map(ForeignNames.unqualified.contains) ?? false
        default:
            return self.is("?", at: 1) && self.is("(", at: 2)
                && ForeignNames.isOptionalRequirement(name, labels: argumentLabels(at: 2))
        }
    }

    /// Whether a cast to a type of request comes next that fails. The one of a class's own request does not:
    /// `P.fetchRequest() as! NSFetchRequest<P>`.
    private var isCastOfRequest: Bool {
        guard self.is("!", at: 1) || self.is("?", at: 1), self.is("NSFetchRequest", at: 2),
            self.is("<", at: 3)
        else { return false }
        let isOwn =
            index >= 5 && isCall(of: "fetchRequest", at: -4) && self.name(at: -5) == self.name(at: 4)
            && self.is(">", at: 5)
        return !isOwn
    }

    /// Whether `.name()` stands there.
    private func isCall(of name: String, at offset: Int) -> Bool {
        self.is(".", at: offset) && self.is(name, at: offset + 1) && self.is("(", at: offset + 2)
            && self.is(")", at: offset + 3)
    }

    /// Whether an import of one of these modules comes next, or of a header that is part of another.
    fileprivate func isImport(of modules: Set<String>) -> Bool {
        guard self.is("import"), let module = name(at: 1) else { return false }
        return self.is(".", at: 2)
            ? ForeignNames.modulesWithHeaders.contains(module) : modules.contains(module)
    }

    /// The labels of the call whose parenthesis stands there, nil where there is none.
    private func argumentLabels(at offset: Int) -> [String?] {
        var rest = self
        rest.advance(offset)
        var labels: [String?] = []
        repeat {
            rest.advance()
            labels.append(rest.is(":", at: 1) ? rest.name() : nil)
            while !rest.isAtEnd, !rest.is(","), !rest.is(")") {
                guard rest.is("(") || rest.is("[") || rest.is("{") else {
                    rest.advance()
                    continue
                }
                guard (try? rest.skipBrackets()) != nil else { return labels }
            }
        } while rest.is(",")
        return labels
    }
}
