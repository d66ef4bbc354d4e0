import CoreDataValues

extension PostgreSQLDialect {
    // MARK: Arithmetic

    /// Spells arithmetic. Whole numbers are added and multiplied as `numeric`, which does not overflow.
    package func infix(
        _ operation: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand
    ) -> SQLFragment {
        let areWhole = left.type.isWhole && right.type.isWhole
        switch operation {
        case .add, .subtract, .multiply:
            let first: SQLFragment = areWhole ? numeric(left) : left.sql
            return "(\(first) \(operation.rawValue) \(right.sql))"
        case .divide:
            return areWhole
                ? "div(\(left.sql), NULLIF(\(right.sql), 0))" : "(\(left.sql) / NULLIF(\(right.sql), 0))"
        case .modulus:
            return areWhole
                ? "mod(\(numeric(left)), NULLIF(\(right.sql), 0))"
                : "mod(trunc(\(numeric(left))), NULLIF(trunc(\(numeric(right))), 0))"
        case .bitwiseAnd, .bitwiseOr:
            return "(\(integer(left)) \(operation.rawValue) \(integer(right)))"
        case .shiftLeft, .shiftRight: return shift(left, by: right, isLeft: operation == .shiftLeft)
        }
    }

    /// Spells a shift by any number of places. The operators take the number modulo 64; a negative number
    /// stands for a shift in the other direction.
    private func shift(_ operand: SQLOperand, by right: SQLOperand, isLeft: Bool) -> SQLFragment {
        let (value, places) = (integer(operand), integer(right))
        let (there, back): (SQLText, SQLText) = isLeft ? ("<<", ">>") : (">>", "<<")
        if case .integer(0..<64)? = right.sql.constant {
            return "(\(value) \(there) CAST(\(right.sql) AS integer))"
        }
        let (nothing, sign): (SQLFragment, SQLFragment) = ("\(value) & 0", "\(value) >> 63")
        return """
            CASE WHEN \(places) >= 64 THEN \(isLeft ? nothing : sign) \
            WHEN \(places) >= 0 THEN \(value) \(there) CAST(\(places) AS integer) \
            WHEN \(places) > -64 THEN \(value) \(back) CAST(-\(places) AS integer) \
            WHEN \(places) <= -64 THEN \(isLeft ? sign : nothing) END
            """
    }

    private func numeric(_ operand: SQLOperand) -> SQLFragment { "CAST(\(operand.sql) AS numeric)" }
    private func integer(_ operand: SQLOperand) -> SQLFragment { "CAST(\(operand.sql) AS bigint)" }
    private func double(_ operand: SQLOperand) -> SQLFragment { "CAST(\(operand.sql) AS double precision)" }

    /// Spells a cast. Of a text, only a number at its beginning counts, as in SQLite.
    package func cast(_ operand: SQLOperand, to type: CastType) -> SQLFragment {
        switch type {
        case .text: return "CAST(\(operand.sql) AS text)"
        case .double:
            return operand.type.isText ? "CAST(\(number(operand)) AS double precision)" : double(operand)
        case .integer:
            let number = operand.type.isText ? "CAST(\(number(operand)) AS numeric)" : numeric(operand)
            return "CAST(trunc(\(number)) AS bigint)"
        }
    }

    private func number(_ text: SQLOperand) -> SQLFragment {
        """
        CASE WHEN \(text.sql) IS NOT NULL THEN COALESCE(substring(\(text.sql) \
        FROM '^ *([-+]{0,1}[0-9]+([.][0-9]*){0,1}([eE][-+]{0,1}[0-9]+){0,1})'), '0') END
        """
    }

    package func withoutIndex(_ operand: SQLFragment) -> SQLFragment { operand }

    // MARK: Functions

    package func canCall(_ function: ScalarFunction) -> Bool {
        function != .canonical && function != .folded
    }

    package func call(_ function: ScalarFunction, _ arguments: [SQLOperand]) -> SQLFragment {
        switch function {
        case .absolute: named("abs", arguments)
        case .squareRoot: guarded("sqrt", arguments[0], ">= 0")
        case .logarithm: guarded("log", arguments[0], "> 0")
        case .naturalLogarithm: guarded("ln", arguments[0], "> 0")
        case .exponential: exponential(arguments[0])
        case .power: power(arguments[0], arguments[1])
        case .ceiling: named("ceil", arguments)
        case .floor: named("floor", arguments)
        case .truncate: named("trunc", arguments)
        case .random: random(below: arguments.first)
        case .now: "(CAST(extract(epoch FROM clock_timestamp()) AS double precision) - 978307200)"
        case .onesComplement: "(~\(integer(arguments[0])))"
        case .lowercase: mapped("lower", arguments[0])
        case .uppercase: mapped("upper", arguments[0])
        case .length: length(arguments[0])
        case .contents: arguments[0].sql
        case .least: named("LEAST", arguments)
        case .greatest: named("GREATEST", arguments)
        case .coalesce: coalesce(arguments)
        case .canonical, .folded: preconditionFailure("texts are folded in memory")
        }
    }

    /// Returns the first value that is not null. Values of several types are the elements of a composite, of which
    /// is asked only whether all are null.
    private func coalesce(_ arguments: [SQLOperand]) -> SQLFragment {
        if let first = arguments.first, arguments.allSatisfy({ $0.type.isComparable(with: first.type) }) {
            return named("COALESCE", arguments)
        }
        return "NULLIF(\(named("num_nonnulls", arguments)), 0)"
    }

    private func named(_ name: SQLText, _ arguments: [SQLOperand]) -> SQLFragment {
        "\(name)(\(arguments.map(\.sql).joined(separator: ", ")))"
    }

    /// Calls a function of a double; the result is null outside of the function's domain.
    private func guarded(_ name: SQLText, _ operand: SQLOperand, _ domain: SQLText) -> SQLFragment {
        "CASE WHEN \(operand.sql) \(domain) THEN \(name)(\(double(operand))) END"
    }

    /// Spells a power of e. Where it is out of a double's range PostgreSQL fails, as it does for denormal
    /// results.
    private func exponential(_ operand: SQLOperand) -> SQLFragment {
        """
        CASE WHEN \(operand.sql) > 709.78 THEN \(Self.infinity) WHEN \(operand.sql) < -708 THEN 0 \
        ELSE exp(\(double(operand))) END
        """
    }

    private static let infinity: SQLText = "CAST('Infinity' AS double precision)"

    /// Spells a power. Its natural logarithm tells whether it is in a double's range.
    private func power(_ base: SQLOperand, _ exponent: SQLOperand) -> SQLFragment {
        let (base, exponent) = (double(base), double(exponent))
        let logarithm: SQLFragment = "\(exponent) * ln(abs(\(base)))"
        return """
            CASE WHEN \(base) = 0 THEN CASE WHEN \(exponent) >= 0 THEN power(\(base), \(exponent)) END \
            WHEN \(base) < 0 AND \(exponent) <> trunc(\(exponent)) THEN NULL \
            WHEN \(logarithm) > 709.78 THEN power(sign(\(base)), \(exponent)) * \(Self.infinity) \
            WHEN \(logarithm) < -708 THEN 0 ELSE power(\(base), \(exponent)) END
            """
    }

    /// Spells a random number that is never negative, as in memory, and has 53 bits, as many as a double.
    private func random(below limit: SQLOperand?) -> SQLFragment {
        let number: SQLFragment = "CAST(floor(random() * 9007199254740992) AS bigint)"
        return limit.map { "mod(\(number), NULLIF(\($0.sql), 0))" } ?? number
    }

    /// Changes the case of a text by Unicode's rules, which the collation of the columns does not have.
    private func mapped(_ name: SQLText, _ operand: SQLOperand) -> SQLFragment {
        """
        (\(name)(\(text(operand)) COLLATE "und-x-icu") COLLATE "C")
        """
    }

    private func text(_ operand: SQLOperand) -> SQLFragment {
        operand.type.isText ? operand.sql : "CAST(\(operand.sql) AS text)"
    }

    /// Counts UTF-16 units: scalars above U+FFFF count twice.
    private func length(_ operand: SQLOperand) -> SQLFragment {
        """
        (length(\(text(operand))) \
        + length(regexp_replace(\(text(operand)), '[\\U00000001-\\U0000FFFF]', '', 'g')))
        """
    }

    // MARK: Aggregates

    package func aggregate(
        _ function: AggregateFunction, of operand: SQLOperand?, isDistinct: Bool
    ) -> SQLFragment {
        guard let operand else { return "COUNT(*)" }
        let argument: SQLFragment = isDistinct ? "DISTINCT \(operand.sql)" : operand.sql
        return switch function {
        case .count: "COUNT(\(argument))"
        case .sum where operand.type.isWhole: "CAST(SUM(\(argument)) AS bigint)"
        case .sum: "SUM(\(argument))"
        case .average: "CAST(AVG(\(argument)) AS double precision)"
        case .minimum: extreme("MIN", operand)
        case .maximum: extreme("MAX", operand)
        // A function of ordered values takes no DISTINCT.
        case .median where isDistinct:
            """
            (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY d.v) \
            FROM unnest(array_agg(DISTINCT \(double(operand)))) d (v))
            """
        case .median: "percentile_cont(0.5) WITHIN GROUP (ORDER BY \(double(operand)))"
        // Each value is there once, and the least of the most frequent ones is the answer.
        case .mode where isDistinct: extreme("MIN", operand)
        case .mode: "mode() WITHIN GROUP (ORDER BY \(operand.sql))"
        case .deviation: "CAST(stddev_pop(\(argument)) AS double precision)"
        }
    }

    /// Spells the least or greatest value. PostgreSQL has no such aggregate of UUIDs and bytes, but their
    /// digits have the same order.
    private func extreme(_ name: SQLText, _ operand: SQLOperand) -> SQLFragment {
        switch operand.type {
        case .attribute(.uuid): "CAST(\(name)(CAST(\(operand.sql) AS text)) AS uuid)"
        case .attribute(.binary), .attribute(.transformable), .externalData:
            "decode(\(name)(encode(\(operand.sql), 'hex')), 'hex')"
        default: "\(name)(\(operand.sql))"
        }
    }
}

extension BoundType {
    /// Whether the values are whole numbers.
    fileprivate var isWhole: Bool {
        switch self {
        case .attribute(.integer16), .attribute(.integer32), .attribute(.integer64), .attribute(.boolean),
            .reference, .entity:
            true
        case .attribute, .externalData, .unknown: false
        }
    }
}
