/// The writer of the closures that call each class's `@objc` members, which the framework finds by their
/// selectors.
///
/// The closures are in an extension of the class, where the names of argument types have the same meaning as
/// inside the class.
struct ExposureEmitter {
    let catalog: ExposedClassCatalog

    func emit(into writer: inout SourceWriter) {
        for (number, exposed) in catalog.classes.enumerated() {
            writer.line()
            writer.under(exposed.conditions) { writer in
                writer.block("extension \(Self.spelling(exposed))") { writer in
                    writer.block("nonisolated fileprivate static func \(Self.function(number))()") { writer in
                        for member in exposed.members { emit(member, of: exposed, into: &writer) }
                        for validator in exposed.validators {
                            emit(validator, of: Self.spelling(exposed), into: &writer)
                        }
                    }
                }
            }
        }
    }

    /// Writes the closure that the framework calls to validate a property.
    func emit(
        _ validator: ExposedClassCatalog.Validator, of owner: String, into writer: inout SourceWriter
    ) {
        writer.under(validator.conditions) { writer in
            writer.block(
                "ManagedClasses.register(validatorFor: \"\(validator.key)\", of: \(owner).self)",
                arguments: "object, value"
            ) { writer in
                writer.line("try (object as! \(owner)).\(validator.name)(value)")
            }
        }
    }

    func emitCalls(into writer: inout SourceWriter) {
        for (number, exposed) in catalog.classes.enumerated() {
            writer.under(exposed.conditions) { writer in
                writer.line("\(Self.spelling(exposed)).\(Self.function(number))()")
            }
        }
    }

    private func emit(
        _ member: ExposedMember, of exposed: ExposedClassCatalog.ExposedClass,
        into writer: inout SourceWriter
    ) {
        let object = "(object as! \(Self.spelling(exposed)))"
        let name = NameEscaping.escaped(member.name)
        let conditions = member.context.conditions.filter { !exposed.conditions.contains($0) }
        writer.under(conditions) { writer in
            switch member.kind {
            case .property(let isSettable):
                register(member.selector, exposed, into: &writer) { $0.line("\(object).\(name)") }
                guard isSettable else { return }
                register(SelectorName.setter(member.selector), exposed, into: &writer) { writer in
                    writer.line("\(object).\(name) = try arguments.value(0)")
                    writer.line("return nil")
                }
            case .method(let parameters, let returns):
                let arguments = parameters.enumerated().map { index, parameter in
                    (parameter.label.map { $0 + ": " } ?? "")
                        + "arguments.value(\(index)) as \(parameter.type)"
                }
                let call =
                    (parameters.isEmpty ? "" : "try ")
                    + "\(object).\(name)(\(arguments.joined(separator: ", ")))"
                register(member.selector, exposed, into: &writer) { writer in
                    writer.line(call)
                    if !returns { writer.line("return nil") }
                }
            }
        }
    }

    private func register(
        _ selector: String, _ exposed: ExposedClassCatalog.ExposedClass, into writer: inout SourceWriter,
        _ body: (inout SourceWriter) -> Void
    ) {
        writer.block(
            "ExposedMethods.register(\"\(selector)\", of: \(Self.spelling(exposed)).self)",
            arguments: "object, arguments", body)
    }

    private static func function(_ number: Int) -> String { "registerExposedMethods\(number)" }

    private static func spelling(_ exposed: ExposedClassCatalog.ExposedClass) -> String {
        exposed.path.map(NameEscaping.escaped).joined(separator: ".")
    }
}
