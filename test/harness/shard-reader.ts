import { loadModule, parseSync } from 'libpg-query'
import { placements } from '../../src/database/tables/placements.ts'

await loadModule()

/** A node of a parsed statement: one property, named by its kind. */
type Node = Readonly<Record<string, unknown>>

const statementKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']
const placementOf: Readonly<Record<string, string>> = placements

/** The sharded tables that a statement of PostgreSQL names without `project_id = $`, so that it would have to ask every shard. */
export function unboundTables(sql: string): readonly string[] {
  return unboundIn(parseSync(sql))
}

function unboundIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(unboundIn)
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([kind, value]) => [
    ...(statementKinds.includes(kind) || (kind === 'larg' && isSelect(value)) || (kind === 'rarg' && isSelect(value))
      ? unboundOf(value as Node)
      : []),
    ...unboundIn(value),
  ])
}

/** The parts of a `union` stand there without the name of their kind. */
function isSelect(value: unknown): boolean {
  return isNode(value) && 'limitOption' in value
}

function unboundOf(statement: Node): readonly string[] {
  const named = [...tablesIn(statement.relation), ...tablesIn(statement.fromClause), ...tablesIn(statement.usingClause)]
  if ('relation' in statement && 'cols' in statement && insertsIntoProject(statement)) return []
  const bound = conditionsOf(statement).flatMap((condition) => boundBy(condition))
  const isBound = ({ alias }: Table) => bound.includes(alias) || (named.length === 1 && bound.includes(''))
  return named.filter((table) => placementOf[table.name] === 'with its project' && !isBound(table)).map(({ name }) => name)
}

interface Table {
  readonly name: string
  readonly alias: string
}

/** The tables of a `from`, those of its sub-queries not among them. */
function tablesIn(node: unknown): readonly Table[] {
  if (Array.isArray(node)) return node.flatMap(tablesIn)
  if (!isNode(node)) return []
  if (typeof node.relname === 'string') {
    const alias = isNode(node.alias) ? node.alias.aliasname : node.relname
    return [{ name: node.relname, alias: String(alias) }]
  }
  if (isNode(node.RangeVar)) return tablesIn(node.RangeVar)
  if (isNode(node.JoinExpr)) return [...tablesIn(node.JoinExpr.larg), ...tablesIn(node.JoinExpr.rarg)]
  return []
}

/** What must hold for every row: the parts of `where` and of the joins. */
function conditionsOf({ whereClause, fromClause, usingClause }: Node): readonly unknown[] {
  return [...partsOf(whereClause), ...joinConditions(fromClause), ...joinConditions(usingClause)]
}

function joinConditions(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap(joinConditions)
  const join = isNode(node) ? node.JoinExpr : undefined
  return isNode(join) ? [...partsOf(join.quals), ...joinConditions(join.larg), ...joinConditions(join.rarg)] : []
}

function partsOf(condition: unknown): readonly unknown[] {
  const bool = isNode(condition) ? condition.BoolExpr : undefined
  if (isNode(bool) && bool.boolop === 'AND_EXPR' && Array.isArray(bool.args)) return bool.args.flatMap(partsOf)
  return [condition]
}

/** The table whose project a condition binds to a value; `''` if it names none. */
function boundBy(condition: unknown): readonly string[] {
  const equation = isNode(condition) ? condition.A_Expr : undefined
  if (!isNode(equation) || equation.kind !== 'AEXPR_OP' || textOf(first(equation.name)) !== '=') return []
  const sides = [equation.lexpr, equation.rexpr]
  return sides.some(isValue) ? sides.flatMap(projectColumn) : []
}

function projectColumn(side: unknown): readonly string[] {
  const column = isNode(side) ? side.ColumnRef : undefined
  if (!isNode(column) || !Array.isArray(column.fields)) return []
  const names = column.fields.map(textOf)
  if (names.at(-1) !== 'project_id') return []
  return [names.length > 1 ? (names.at(-2) ?? '') : '']
}

function isValue(side: unknown): boolean {
  if (!isNode(side)) return false
  return 'ParamRef' in side || 'A_Const' in side || (isNode(side.TypeCast) && isValue(side.TypeCast.arg))
}

/** Whether every inserted row has a value as its project. */
function insertsIntoProject({ cols, selectStmt }: Node): boolean {
  const place = Array.isArray(cols)
    ? cols.findIndex((col) => isNode(col) && isNode(col.ResTarget) && col.ResTarget.name === 'project_id')
    : -1
  const select = isNode(selectStmt) ? selectStmt.SelectStmt : undefined
  if (place < 0 || !isNode(select)) return false
  if (Array.isArray(select.valuesLists))
    return select.valuesLists.every(
      (row) => isNode(row) && isNode(row.List) && Array.isArray(row.List.items) && isValue(row.List.items[place]),
    )
  const target = Array.isArray(select.targetList) ? select.targetList[place] : undefined
  return isNode(target) && isNode(target.ResTarget) && isValue(target.ResTarget.val)
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}

function textOf(node: unknown): string {
  const text = isNode(node) ? node.String : undefined
  return isNode(text) && typeof text.sval === 'string' ? text.sval : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
